# python -m attn_mlir.bench on the host: shapes, figures, chart, and what goes wrong.
#
# REQUIRES: capi, numpy
# RUN: %numpy-python %s

import csv
import functools
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET
from unittest import mock

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import commands
import numpy as np
import reference
from attn_mlir.bench import _packed, _report, _run, _series, _shapes, _svg
from attn_mlir.bench.__main__ import main

SVG = "{http://www.w3.org/2000/svg}"
TINY = ["--target", "host", "--rounds", "1", "--dtype", "f32"]
run = functools.partial(commands.run, main)


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def points(root, name):
    """Returns the points (x, y) of a series in each panel of the chart."""
    found = []
    for panel in root.iter(SVG + "g"):
        circles = [c for c in panel.iter(SVG + "circle")
                   if c.get("class") == "point " + name]
        found.append([(float(c.get("cx")), float(c.get("cy"))) for c in circles])
    return found


class InDirectory(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(directory.name)


class Shapes(unittest.TestCase):
    def test_same_as_attnc(self):
        for options in ([], ["--causal", "both"], ["--dtype", "f16", "--causal", "no"]):
            options = ["--list", "--shapes", "all", "--shapes", "2,8:4,3:5,16", "--shapes",
                       "1,2,3,16:8", *options]
            attnc = subprocess.run(["attnc", "bench", *options], capture_output=True,
                                   text=True, check=True)
            self.assertEqual(run(*options), (0, attnc.stdout, ""))

    def test_given(self):
        shape, = _shapes.select(["2,8:4,3:5,16"])
        self.assertEqual(str(shape), "given bf16 2,8:4,3:5,16 full")
        self.assertEqual(shape.flops, 4 * 2 * 8 * 3 * 5 * 16)
        self.assertEqual(shape.bytes, 2 * (2 * 2 * 8 * 3 * 16 + 2 * 2 * 4 * 5 * 16))
        causal, = _shapes.select(["2,8:4,3:5,16"], causal="yes")
        self.assertEqual(causal.flops, shape.flops / 2)
        wide, = _shapes.select(["2,8:4,3:5,24:16"])
        self.assertEqual(str(wide), "given bf16 2,8:4,3:5,24:16 full")
        self.assertEqual(wide.flops, 2 * 2 * 8 * 3 * 5 * 40)
        self.assertEqual(wide.bytes, 2 * 40 * (2 * 8 * 3 + 2 * 4 * 5))
        self.assertEqual(len(_shapes.select(["heldout"])), 11)
        self.assertEqual(len(_shapes.select(["gpt2", "all", "gpt2"])), 58)

    def test_other_sets(self):
        """Each of the bench's other sets of shapes consists of its own shapes, and shares none with
        the set "all"."""
        for name, count in (("backward", 39), ("masks", 32), ("packed", 4), ("pages", 8),
                            ("quantized", 18), ("latent", 30), ("eight-bits", 36)):
            shapes = _shapes.select([name])
            self.assertEqual({shape.set for shape in shapes}, {name})
            self.assertEqual(len(shapes), count)
            self.assertFalse(set(shapes) & set(_shapes.select(["all"])))

        def names(*arguments):
            return [str(shape) for shape in _shapes.select(*arguments)]

        self.assertEqual(names(["backward"])[-3:], [
            "backward f16 4,12,1024,64 full", "backward f16 4,12,1024,64 causal",
            "backward bf16 4,32:8,4096,128 causal"])
        self.assertEqual(names(["masks"], None, None, ["documents"])[:2],
                         ["masks bf16 4,16,4096,128 full documents",
                          "masks bf16 4,16,4096,128 causal documents"])
        self.assertEqual(names(["gpt2", "pages:1,2,1:37,16"], "f16", None, ["pages-64"]),
                         ["gpt2 f16 4,12,1024,64 causal",
                          "pages f16 1,2,1:37,16 full pages-64"])
        self.assertEqual(names(["packed:1,2,64,16"], None, "yes"),
                         ["packed bf16 1,2,64,16 causal forward",
                          "packed bf16 1,2,64,16 causal backward"])
        # Each shape of latent attention occurs in all variants.
        self.assertEqual(names(["latent"])[0], "latent bf16 16,128:1,4:16384,576:512 causal "
                         "pages-64")
        self.assertEqual(names(["latent"])[-1], "latent bf16 1,16:1,1:65536,576:512 full "
                         "pages-64-e4m3-split")
        shape, = _shapes.select(["backward:2,8:4,3:5,24:16"])
        self.assertEqual(shape.flops, 2 * (3 * 24 + 2 * 16) * 2 * 8 * 3 * 5)
        self.assertEqual(shape.bytes, 2 * _shapes.select(["2,8:4,3:5,24:16"])[0].bytes)

    def test_bad_arguments(self):
        for arguments, message in (
                (["--shapes", "gpt3"], "argument --shapes: expected gpt2, llama, flux, "
                 "grid, decode, heldout, all, backward, masks, packed, pages, quantized, "
                 "latent, eight-bits or "
                 "[SET:]B,H[:HK],S[:SK],D[:DV] (SET is one of the names after all; HK divides "
                 "H; masks and packed have no SK), found 'gpt3'"),
                (["--shapes", "grid:1,2,3,4"], "found 'grid:1,2,3,4'"),
                (["--shapes", "masks:1,2,3:5,4"], "found 'masks:1,2,3:5,4'"),
                (["--shapes", "backward:"], "found 'backward:'"),
                (["--shapes", "masks", "--variants", "forward"], "argument --shapes: "
                 "expected a set that has one of the variants forward"),
                (["--variants", "sinks,alibis"], "argument --variants: expected some of "
                 "plain, causal-mod, "),
                (["--shapes", "1,2,3"], "found '1,2,3'"),
                (["--shapes", "1,12:5,3,4"], "found '1,12:5,3,4'"),
                (["--shapes", "1,12:,3,4"], "found '1,12:,3,4'"),
                (["--shapes", "1,-1,3,4"], "found '1,-1,3,4'"),
                (["--shapes", "0,1,3,4"], "found '0,1,3,4'"),
                (["--shapes", "1:1,1,3,4"], "found '1:1,1,3,4'"),
                (["--rounds", "0"], "argument --rounds: expected at least 1, found '0'"),
                (["--rounds", "2", "--sustained"], "not allowed with argument --rounds"),
                (["--peers", "cudnn,fa5"], "argument --peers: expected all, none or some "
                 "of cudnn, fa2, flex, mosaic, fa3, fa4, flex-flash, flashinfer, found 'fa5'"),
                (["--chart", "rates.jpg"], "ends in .svg or .png, found 'rates.jpg'"),
                (["--csv", "nowhere/x.csv"], "expected a directory at 'nowhere'"),
                (["--dtype", "f64"], "argument --dtype: invalid choice: 'f64'")):
            with self.subTest(arguments=arguments):
                status, out, err = run("--target", "host", *arguments)
                self.assertEqual((status, out), (2, ""))
                self.assertEqual(err.count("error: "), 1, err)
                self.assertIn(message, err)


class Figures(InDirectory):
    def test_files(self):
        shapes = ["1,2,64,16", "1,2,128,16", "1,2,256,16", "2,4:2,33:65,16"]
        status, out, err = run(*TINY, "--causal", "both", "--peers", "cudnn,flex",
                               "--csv", "x.csv", "--chart", "x.svg", "--commit", "abc",
                               "--shapes", *shapes)
        self.assertEqual(status, 0, err)
        # Each absent peer is reported once, and the table nevertheless has its column.
        self.assertEqual(err, "bench: cudnn: expected a CUDA device\n"
                         "bench: flex: expected a CUDA device\n")
        self.assertRegex(out, r"(?m)^target +host, NumPy .*\ncopy +[\d.]+ GB/s.*\n"
                         r"matmul +[\d.e-]+ TFLOP/s, 512 cubed, f32$")
        self.assertRegex(out, r"(?m)^shape +ms +spread +TFLOP/s of matmul +GB/s +of copy"
                         r" +cudnn +flex$")
        self.assertEqual(len(re.findall(
            r"(?m)^given f32 \S+ (?:full|causal) +[\d.]+ +[\d.]+% +[\d.e-]+ +[\d.]+% "
            r"+[\d.]+ +[\d.]+% +- +-$", out)), 8)

        rows = read("x.csv")
        self.assertEqual(tuple(rows[0]), _report.COLUMNS)
        (conditions, product, copy), rows = rows[:3], rows[3:]
        self.assertEqual(conditions["peer"], "conditions")
        found = json.loads(conditions["note"])
        self.assertEqual((found["commit"], found["numpy"]), ("abc", np.__version__))
        self.assertRegex(found["date"], r"^\d{4}-\d{2}-\d{2}$")
        self.assertEqual((product["pass"], product["dtype"], copy["pass"]),
                         ("matmul", "f32", "copy"))
        self.assertEqual([row["peer"] for row in rows], ["attn-mlir", "cudnn", "flex"] * 8)
        for row in rows:
            if row["peer"] != "attn-mlir":
                self.assertEqual((row["ms"], row["note"]), ("", "expected a CUDA device"))
                continue
            b, hq, hkv, sq, skv, d = (int(row[name]) for name in
                                      ("B", "Hq", "Hkv", "Sq", "Skv", "D"))
            seconds = float(row["ms"]) / 1e3
            tflops = 4e-12 * b * hq * sq * skv * d / seconds / (1 + int(row["causal"]))
            gbs = 8e-9 * b * d * (hq * sq + hkv * skv) / seconds
            for name, expected in (
                    ("tflops", tflops), ("matmul_share", tflops / float(product["tflops"])),
                    ("gbs", gbs), ("copy_share", gbs / float(copy["gbs"]))):
                self.assertAlmostEqual(float(row[name]), expected,
                                       delta=0.01 * expected + 0.01, msg=row)
            self.assertEqual((row["runs"], row["mode"], row["note"]), ("10", "burst", ""))

        root = ET.parse("x.svg").getroot()
        # The chart has a panel for each mask, without the shape with different numbers of rows and
        # keys, and a panel with the roofline.
        self.assertEqual([len(panel) for panel in points(root, "attn-mlir")], [3, 3, 8])
        self.assertEqual(points(root, "cudnn"), [[], [], []])
        titles = {t.text for t in root.iter(SVG + "text")}
        self.assertLessEqual({"given f32 D=16 full", "given f32 D=16 causal", "roofline",
                              "64", "128", "256", "length", "FLOPs per byte"}, titles)
        self.assertNotIn("cudnn", titles)

    def test_default_chart_and_sustained(self):
        with mock.patch.object(_run, "SUSTAINED", 0.05):
            status, out, err = run("--target", "host", "--dtype", "f16", "--shapes",
                                   "1,1,32,8", "--sustained", "--peers", "none",
                                   "--csv", "x.csv")
        self.assertEqual((status, err), (0, ""))
        self.assertIn("chart      attn_mlir_bench.svg\n", out)
        self.assertEqual(sorted(os.listdir()), ["attn_mlir_bench.svg", "x.csv"])
        self.assertEqual(read("x.csv")[-1]["mode"], "sustained")

    def test_wrong_result_is_a_failure(self):
        def attention(q, k, v, causal):
            return np.zeros_like(q)
        with mock.patch("attn_mlir.attention", attention):
            status, out, err = run(*TINY, "--shapes", "1,1,32,8", "1,2,32,8", "--peers",
                                   "none", "--csv", "x.csv", "--chart", "x.svg")
        self.assertEqual(status, 1)
        self.assertIn("bench: attn-mlir: given f32 1,1,32,8 full: wrong result: expected "
                      "errors of at most 5e-05, found ", err)
        self.assertEqual(out.count(" failed "), 2)
        rows = read("x.csv")[3:]
        self.assertEqual([row["ms"] for row in rows], ["", ""])
        self.assertTrue(all(row["note"].startswith("wrong result") for row in rows))
        self.assertEqual(os.listdir(), ["x.csv"])

    def test_interrupted(self):
        def attention(q, k, v, causal):
            if q.shape[1] == 2:
                raise KeyboardInterrupt
            return reference.attention(q, k, v)[0].astype(q.dtype)
        with mock.patch("attn_mlir.attention", attention):
            status, out, err = run(*TINY, "--shapes", "1,1,32,8", "1,2,32,8", "1,3,32,8",
                                   "--peers", "none", "--csv", "x.csv", "--chart", "none")
        self.assertEqual((status, err), (1, "bench: interrupted: 1 of 3 shapes are done\n"))
        self.assertEqual([row["Hq"] for row in read("x.csv")[3:]], ["1"])

    def measure(self, *arguments):
        """Runs the bench without peers. Returns the status, both outputs, and the rows of shapes in
        its CSV file."""
        status, out, err = run(*TINY, "--peers", "none", "--csv", "x.csv", "--chart",
                               "none", "--shapes", *arguments)
        return status, out, err, read("x.csv")[3:]

    def test_caches(self):
        """Runs the bench on caches of 8 and 4 bits and on caches of latents. Floats of 8 bits would
        need the package ml_dtypes."""
        status, out, err, rows = self.measure(
            "quantized:3,4:2,1:150,16", "latent:2,4:1,1:150,96:64", "--variants",
            "contiguous-i8,contiguous-i4,pages-64-i8,pages-64-i4,pages-64")
        self.assertEqual((status, err), (0, ""))
        self.assertEqual([row["variant"] for row in rows],
                         ["contiguous-i8", "contiguous-i4", "pages-64-i8", "pages-64-i4",
                          "pages-64"])
        shape, = _shapes.select(["latent:2,4:1,1:150,96:64"], "f16", None, ["pages-64-e4m3"])
        self.assertEqual(shape.bytes, 2 * (4 * 160 * 2 + 150 * 96))

    def test_other_sets(self):
        status, out, err, rows = self.measure(
            "backward:1,4:2,19:37,16", "masks:2,4:2,64,16", "packed:2,4:2,64,16:24",
            "pages:3,4:2,1:300,16")
        self.assertEqual((status, err), (0, ""))
        self.assertEqual([row["pass"] for row in rows],
                         ["bwd"] + 18 * ["fwd"] + 2 * ["bwd"] + 4 * ["fwd"])
        self.assertEqual(rows[0]["variant"], "")
        self.assertEqual([row["variant"] for row in rows[-8:]],
                         ["forward", "forward", "backward", "backward", "contiguous",
                          "pages-16", "pages-64", "pages-256"])
        # The lengths of all documents in two batch entries of 64 rows each.
        tokens = [6, 1, 14, 4, 18, 3, 10, 8, 1, 13, 5, 18, 3, 9, 8, 7]
        causal, window = 64 * 65 // 2, 48 * 16 + 16 * 17 // 2
        documents = (sum(n * n for n in tokens) / 2,
                     sum(n * (n + 1) / 2 for n in tokens) / 2)
        kept = {"plain 0": 64 * 64, "plain 1": causal, "causal-mod 0": causal,
                "window 1": window, "window-mod 0": window, "documents 0": documents[0],
                "documents 1": documents[1], "prefix 0": causal + 16 * 15 // 2,
                "boolean 0": causal, "prepared 0": causal}
        for row in rows[1:17]:
            pairs = kept.get(f"{row['variant']} {row['causal']}", 64 * 64)
            flops = float(row["tflops"]) * float(row["ms"]) * 1e9
            self.assertAlmostEqual(flops / (4 * 16 * 2 * 4 * pairs), 1, delta=0.02,
                                   msg=row)
        # For masks, the table has the time relative to that of plain attention.
        lines = out.splitlines()
        self.assertTrue(lines[3].endswith(" of plain"))
        self.assertRegex(lines[4], r"^backward f32 1,4:2,19:37,16 full  .*[\d.]+%$")
        self.assertRegex(lines[5], r"^masks f32 2,4:2,64,16 full plain  .* 100\.0%$")
        self.assertEqual({len(line) for line in lines[5:20]}, {len(lines[3])})

    def test_wrong_gradients(self):
        def with_wrong_key(function):
            def wrong(*arrays, **options):
                d_query, d_key, d_value = function(*arrays, **options)
                return d_query, d_key * 1.001, d_value
            return wrong

        for owner, name, shape in (
                (attn_mlir, "attention_backward", "backward:1,2,32,8"),
                (_packed, "varlen_backward", "packed:1,2,64,8")):
            with mock.patch.object(owner, name, with_wrong_key(getattr(owner, name))):
                status, out, err, rows = self.measure(shape, "--variants", "backward")
            self.assertEqual(status, 1)
            self.assertRegex(err, r"wrong result: d_key: expected errors of at most "
                             r"[\d.]+e-05, found 0\.\d+")
            self.assertEqual({row["ms"] for row in rows}, {""})
        with mock.patch.object(attn_mlir, "attention_backward",
                               lambda *arrays, **options: arrays[:2]):
            status, out, err, _ = self.measure("backward:1,2,32,8")
        self.assertEqual(status, 1)
        self.assertIn("expected 3 results, found 2", err)

    def test_what_is_missing(self):
        with mock.patch.dict(sys.modules, {"matplotlib": None}):
            status, out, err = run(*TINY, "--chart", "x.png")
        self.assertEqual((status, out, os.listdir()), (1, "", []))
        self.assertRegex(err, r"\Abench: error: expected matplotlib for a .png chart "
                         r"\(.*\); .svg needs none\n\Z")
        with mock.patch.dict(sys.modules, {"torch": None}):
            status, out, err = run("--target", "cuda")
        self.assertEqual((status, out), (1, ""))
        self.assertRegex(err, r"\Abench: error: target cuda: expected torch: .*; `attnc "
                         r"bench` needs no torch\n\Z")
        with mock.patch.dict(sys.modules, {"ml_dtypes": None}):
            status, out, err = run("--target", "host", "--rounds", "1", "--peers", "none",
                                   "--shapes", "1,1,32,8")
        self.assertEqual(status, 1)
        self.assertEqual(err, "bench: attn-mlir: given bf16 1,1,32,8 full: expected "
                         "ml_dtypes for bf16 on the host; --dtype f16 and f32 need none\n")
        # Listing shapes only needs Python's standard library.
        alone = subprocess.run([sys.executable, "-S", "-m", "attn_mlir.bench", "--list",
                                "--shapes", "gpt2"], capture_output=True, text=True)
        self.assertEqual((alone.stdout, alone.stderr),
                         ("gpt2 f16 4,12,1024,64 causal\n", ""))
        alone = subprocess.run([sys.executable, "-S", "-m", "attn_mlir.bench", "--target",
                                "host"], capture_output=True, text=True)
        self.assertEqual((alone.returncode, alone.stdout), (1, ""))
        self.assertRegex(alone.stderr,
                         r"\Abench: error: expected NumPy for the host: .*\n\Z")


class Chart(unittest.TestCase):
    def draw(self, lengths, rates, names=("attn-mlir", "cudnn")):
        ceilings = _run.Ceilings({"f32": 800.0}, 4000.0)
        results = []
        for name, factor in zip(names, (1, 0.5)):
            for length, rate in zip(lengths, rates):
                shape, = _shapes.select([f"1,2,{length},64"], "f32")
                seconds = shape.flops / (rate * factor) * 1e-12
                results.append(_run.Result(shape, name, _run.Timing(seconds, 0, 1)))
        panels = _series.make_length_panels(results, ceilings)
        roofline = _series.make_roofline(results, ceilings)
        return ET.fromstring(_svg.draw("<a & b>", list(names), panels, roofline))

    def test_places(self):
        root = self.draw([4096, 512, 1024, 2048], [400, 100, 200, 300])
        own, _ = points(root, "attn-mlir")
        peer, _ = points(root, "cudnn")
        # Points are at equal distances in x for lengths that double and in y for equal steps of the
        # rate. A rate of 0 is at the bottom.
        xs, ys = zip(*own)
        self.assertEqual(list(xs), sorted(xs))
        for values in (xs, ys):
            steps = np.diff(values)
            np.testing.assert_allclose(steps, steps[0], atol=0.02)
        bottom = ys[0] - 100 / (200 - 100) * (ys[1] - ys[0])
        self.assertAlmostEqual(bottom, _svg.HEIGHT - _svg.BOTTOM, delta=0.1)
        self.assertAlmostEqual(peer[1][1], ys[0], delta=0.02)  # 200 / 2
        labels = [t.text for t in root.iter(SVG + "title")]
        self.assertIn("cudnn, given f32 1,2,512,64 full: 50 TFLOP/s", labels)
        self.assertEqual(len(labels), 16)

    def test_roofline(self):
        root = self.draw([512, 1024], [100, 200])
        panel = list(root.iter(SVG + "g"))[-1]
        roof, = (line for line in panel.iter(SVG + "polyline")
                 if line.get("class") == "roof")
        (x0, y0), (x1, y1), (x2, y2) = (
            tuple(map(float, p.split(","))) for p in roof.get("points").split())
        self.assertTrue(x0 < x1 < x2 and y0 > y1 == y2)
        # Points are at S / 4 FLOPs per byte. The ridge of the roofline is at 800 TFLOP/s / 4 TB/s =
        # 200.
        own = points(root, "attn-mlir")[-1]
        octave = own[1][0] - own[0][0]
        self.assertAlmostEqual((x1 - own[0][0]) / octave, np.log2(200 / 128), delta=0.01)
        # All points are below the roofline.
        self.assertTrue(all(y > y1 for _, y in own))

    def test_one_point(self):
        root = self.draw([512], [100])
        self.assertEqual([len(panel) for panel in points(root, "cudnn")], [1, 1])
        self.assertIn("<a & b>", [t.text for t in root.iter(SVG + "text")])


if __name__ == "__main__":
    unittest.main()
