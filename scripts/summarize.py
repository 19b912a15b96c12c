"""Prints the tests that were skipped or failed, and how many passed, failed, skipped.

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
# The features of lit that are available if `make test TORCH=1` has installed PyTorch.
TORCH = {"pytorch", "transformers"}


# Maps the names of GoogleTests that skip themselves to the feature that they need. lit does not
# keep their reasons.
LOOKED_FOR = {"*OnGPU*": "cuda", "*/fileWithoutPermission": "not-root"}


def explain(name, reason, absent):
    # lit gives the reason "User interrupt" for a GoogleTest that called GTEST_SKIP.
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


def find_install_error(build):
    """Returns the last line that a failed installation of PyTorch into the folder `build` printed,
    or "" if none failed."""
    folder = os.path.join(build, "torch")
    log = os.path.join(folder, "log")
    if os.path.exists(os.path.join(folder, "version")) or not os.path.exists(log):
        return ""
    with open(log) as file:
        lines = [line.strip() for line in file if line.strip()]
    return lines[-1] if lines else ""


def main(results, absent_path=""):
    cases = list(xml.etree.ElementTree.parse(results).iter("testcase"))
    absent = {}
    if os.path.exists(absent_path):
        with open(absent_path) as file:
            absent = json.load(file)
    failed = []
    passed, skipped, needs_torch = 0, 0, 0
    for case in cases:
        skip = case.find("skipped")
        reason = skip is not None and (skip.get("message") or "no reason given")
        name = f"{case.get('classname')}/{case.get('name')}"
        if reason and reason.startswith("Test not selected"):
            continue
        if reason:
            skipped += 1
            needs_torch += set(reason.removeprefix(MISSING).split(", ")) <= TORCH
            print(f"skipped {name}: {explain(name, reason, absent)}")
        elif case.find("failure") is not None or case.find("error") is not None:
            failed.append(name)
        else:
            passed += 1
    for name in failed:
        print(f"failed {name}")
    seed_path = os.path.join(os.path.dirname(absent_path), "seed")
    if os.path.exists(seed_path):
        with open(seed_path) as file:
            seed = file.read().strip()
        print(f"seed of random tests: {seed} (ATTN_TEST_SEED={seed} repeats them)")
    if needs_torch:
        print(f"{needs_torch} of the skipped tests need PyTorch: `make test TORCH=1` puts it "
              "into the build folder first (6 GB), as CI does")
        error = find_install_error(os.path.dirname(os.path.dirname(os.path.abspath(results))))
        if error:
            print(f"PyTorch could not be installed: {error}")
    print("lit's numbers count programs of unit tests in parts; this line counts tests:")
    print(f"{passed} passed, {len(failed)} failed, {skipped} skipped")
    # A suite of which no test passed counts as failed, even if none failed.
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
