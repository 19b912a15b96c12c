"""Prints the tests that were skipped, and how many passed, failed, skipped.

    summarize.py RESULTS [ABSENT]

RESULTS is lit's xunit report, ABSENT the reasons why features are absent. A file
"seed" beside it has the seed of what tests drew.
"""

import fnmatch
import json
import os
import sys
import xml.etree.ElementTree

MISSING = "Missing required feature(s): "
# The features of lit that `make test TORCH=1` adds.
TORCH = {"pytorch", "transformers"}


# For GoogleTests that skip themselves: the feature that they need. lit does not keep their reasons.
LOOKED_FOR = {"*OnGPU*": "cuda", "*/fileWithoutPermission": "not-root"}


def explain(name, reason, absent):
    # lit gives this reason for a GoogleTest that called GTEST_SKIP.
    if reason == "User interrupt":
        feature = next((feature for pattern, feature in LOOKED_FOR.items()
                        if fnmatch.fnmatchcase(name, pattern)), None)
        if feature not in absent:
            return "the test skipped itself"
        reason = MISSING + feature
    if not reason.startswith(MISSING):
        return reason
    reasons = []
    for feature in reason[len(MISSING):].split(", "):
        why = next((why for name, why in absent.items()
                    if fnmatch.fnmatchcase(feature, name)), None)
        reasons.append(f"{why} ({feature})" if why else f"no {feature}")
    return "; ".join(reasons)


def main(results, absent_path=""):
    cases = list(xml.etree.ElementTree.parse(results).iter("testcase"))
    absent = {}
    if os.path.exists(absent_path):
        with open(absent_path) as file:
            absent = json.load(file)
    passed, failed, skipped, needs_torch = 0, 0, 0, 0
    for case in cases:
        skip = case.find("skipped")
        reason = skip is not None and (skip.get("message") or "no reason given")
        if reason and reason.startswith("Test not selected"):
            continue
        if reason:
            skipped += 1
            needs_torch += set(reason.removeprefix(MISSING).split(", ")) <= TORCH
            name = f"{case.get('classname')}/{case.get('name')}"
            print(f"skipped {name}: {explain(name, reason, absent)}")
        elif case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        else:
            passed += 1
    seed_path = os.path.join(os.path.dirname(absent_path), "seed")
    if os.path.exists(seed_path):
        with open(seed_path) as file:
            seed = file.read().strip()
        print(f"seed of random tests: {seed} (ATTN_TEST_SEED={seed} repeats them)")
    if needs_torch:
        print(f"{needs_torch} of the skipped tests need PyTorch: `make test TORCH=1` puts it "
              "into the build folder first (6 GB), as CI does")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    # A suite that ran nothing has not passed.
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
