#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual, README and CONTRIBUTING: links lead somewhere, outputs are what the program prints now.

    manual_test.py BUILD"""
import pathlib
import shutil
import sys
import tempfile
import unittest

SOURCES = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCES / "resources" / "manual"))
import make_pages  # noqa: E402
import pages  # noqa: E402

try:
    import make_site
except ImportError:
    make_site = None  # python3-markdown is not here

BUILD = pathlib.Path(sys.argv.pop(1))


class Manual(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_every_link_leads_to_a_file_and_a_heading(self):
        for file in [*pages.files(), *pages.OTHERS, SOURCES / "README.md", SOURCES / "CONTRIBUTING.md"]:
            self.assertEqual(pages.broken_links(file), [], file)

    def test_documents_of_other_folders_that_are_linked_are_installed(self):
        installed = {*pages.files(), *pages.OTHERS}
        for file in installed:
            for link in pages.links(file.read_text()):
                target = (file.parent / link.partition("#")[0]).resolve()
                if target.suffix == ".md":
                    self.assertIn(target, installed, f"{file}: {link}")
        listed = (SOURCES / "resources" / "CMakeLists.txt").read_text()
        for file in pages.OTHERS:
            self.assertIn(str(file.relative_to(SOURCES)), listed)

    def test_every_page_is_reached_from_the_first(self):
        reached, new = set(), {pages.MANUAL / "index.md"}
        while new:
            reached |= new
            new = {(file.parent / link.partition("#")[0]).resolve() for file in new
                   for link in pages.links(file.read_text()) if ".md" in link and ":" not in link} - reached
        self.assertEqual(set(pages.files()) - reached, set())

    def test_outputs_are_what_the_program_prints_now(self):
        shutil.copy(pages.SAMPLE / "sample.apertune", self.folder)
        count = 0
        for file in pages.files_with_outputs():
            text = file.read_text()
            count += pages.count_outputs(text)
            self.assertEqual(pages.with_outputs(text, BUILD / "bin", self.folder), text,
                             f"{file}: run resources/manual/make_pages.py {BUILD}")
        self.assertGreater(count, 4)

    def test_every_picture_is_made_and_shown(self):
        made = {name for _, _, name in make_pages.PICTURES}
        kept = {file.stem for file in (pages.MANUAL / "pictures").iterdir()}
        shown = {pathlib.PurePath(link).stem for file in [*pages.files(), SOURCES / "README.md"]
                 for link in pages.links(file.read_text()) if link.endswith(".png")}
        self.assertEqual(made, kept)
        self.assertEqual(kept - shown, set())

    def test_the_sample_is_small(self):
        self.assertLess((pages.SAMPLE / "sample.apertune").stat().st_size, 3 << 20)

    def test_a_broken_link_and_a_stale_output_are_found(self):
        page = self.folder / "page.md"
        page.write_text("# A page\n[a](#a-page) [b](#b) [c](gone.md) `[d](code.md)`\n```\n[e](code.md)\n```\n![f](gone.png)\n")
        self.assertEqual(pages.broken_links(page), ["#b", "gone.md", "gone.png"])
        shutil.copy(pages.SAMPLE / "sample.apertune", self.folder)
        stale = "<!-- output: apertune trace list | head 1 -->\nold\n<!-- end of output -->\n"
        self.assertIn("$ apertune trace list", pages.with_outputs(stale, BUILD / "bin", self.folder))

    @unittest.skipUnless(make_site, "python3-markdown is not installed")
    def test_the_site_has_every_page_and_its_links_hold(self):
        out = self.folder / "site"
        sys.argv[1:] = [str(out)]
        self.assertEqual(make_site.main(), 0)
        made = {file.relative_to(out) for file in out.rglob("*.html")}
        self.assertEqual(len(made), len(pages.files()) + len(pages.OTHERS))
        for place in made:
            text = (out / place).read_text()
            for link in make_site.re.findall(r'(?:href|src)="([^"]*)"', text):
                path, _, fragment = link.partition("#")
                if ":" in path:
                    continue
                target = (out / place).parent / path if path else out / place
                self.assertTrue(target.exists(), f"{place}: {link}")
                if fragment:
                    self.assertIn(f'id="{fragment}"', target.read_text(), f"{place}: {link}")


if __name__ == "__main__":
    unittest.main()
