"""The pages of docs/ build as a site without a warning: every page is in the navigation, every link leads somewhere, nothing comes from a network.

Exits with 77, skipped, where mkdocs, pymdown-extensions or KaTeX is missing.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    if shutil.which("mkdocs") is None or not pathlib.Path("/usr/share/javascript/katex/katex.min.js").exists():
        print("there is no mkdocs, or no KaTeX")
        return 77
    if subprocess.run(["/usr/bin/python3", "-c", "import pymdownx"], check=False, capture_output=True).returncode != 0:
        print("there are no pymdown-extensions")
        return 77
    with tempfile.TemporaryDirectory(prefix="scree-site-") as folder:
        made = subprocess.run(["mkdocs", "build", "--strict", "--quiet", "-f", ROOT / "mkdocs.yml", "-d", folder], capture_output=True, text=True, check=False)
        said = made.stdout + made.stderr
        faults = [] if made.returncode == 0 and not said.strip() else [said]
        site = pathlib.Path(folder)
        pages = sorted(site.rglob("*.html"))
        for page in pages:
            text = page.read_text()
            for fetched in re.findall(r"<(?:script|link|img)[^>]*(?:src|href)=\"(?:https?:)?//[^\"]*\"", text):
                faults.append(f"{page.relative_to(site)}: {fetched}")
            for target in re.findall(r"<img[^>]*src=\"([^\"#]+)\"", text):
                if not (page.parent / target).exists():
                    faults.append(f"{page.relative_to(site)}: there is no {target}")
        if not (site / "search" / "search_index.json").exists():
            faults.append("there is no index to search")
        if len(pages) < 40:
            faults.append(f"only {len(pages)} pages")
    print("\n".join(faults) or f"{len(pages)} pages")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
