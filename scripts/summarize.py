"""Prints the tests that were skipped, and how many passed, failed, skipped."""

import sys
import xml.etree.ElementTree


def main(path):
    cases = list(xml.etree.ElementTree.parse(path).iter("testcase"))
    skipped = [case for case in cases if case.find("skipped") is not None]
    failed = [
        case
        for case in cases
        if case.find("failure") is not None or case.find("error") is not None
    ]
    passed = len(cases) - len(skipped) - len(failed)
    for case in skipped:
        reason = case.find("skipped").get("message") or "no reason given"
        # What lit says of a GoogleTest that called GTEST_SKIP.
        if reason == "User interrupt":
            reason = "the test skipped itself"
        print(f"skipped {case.get('classname')}/{case.get('name')}: {reason}")
    print(f"{passed} passed, {len(failed)} failed, {len(skipped)} skipped")
    # A suite that ran nothing has not passed.
    return 1 if failed or not passed else 0


sys.exit(main(sys.argv[1]))
