"""Hooks of MkDocs: make the navigation from the folders, and turn GitHub's Markdown into
Python-Markdown."""

import os
import re

KINDS = [("Tutorial", "tutorial"), ("How-to", "how-to"), ("Reference", "reference"), ("Explanation", "explanation"), ("Operations", "operations")]
LIST = re.compile(r"( *)([*-]|\d+\.) ")


def on_config(config):
    """Lists the pages of each kind by their numbers."""
    config["nav"] = [{"Home": "README.md"}]
    for title, kind in KINDS:
        config["nav"].append({title: pages(config["docs_dir"], kind)})
    return config


def pages(root, folder):
    """Returns the pages of a folder, with each subfolder as a section."""
    found = []
    for name in sorted(os.listdir(os.path.join(root, folder))):
        path = folder + "/" + name
        if os.path.isdir(os.path.join(root, path)):
            found.append({name.capitalize(): pages(root, path)})
        elif name.endswith(".md"):
            found.insert(0, path) if name == "README.md" else found.append(path)
    return found


def on_page_markdown(markdown, page, config, files):
    """Removes links that leave docs, and writes lists as Python-Markdown expects them."""
    folder = os.path.dirname(page.file.src_uri)

    def link(found):
        label, target = found.groups()
        path = os.path.normpath(os.path.join(folder, target.partition("#")[0]))
        return label if path.startswith("..") and "://" not in target else found.group(0)

    markdown = re.sub(r"\[([^\]\n]*)\]\(([^)\s]+)\)", link, markdown)
    lines, before, fenced = [], "", False
    for line in markdown.split("\n"):
        fenced ^= line.startswith("```")
        item = None if fenced else LIST.match(line)
        if item and 2 <= len(item.group(1)) <= 3:
            line = "    " + line.lstrip()
        begins = item and not item.group(1) or line.startswith("|") and not fenced
        if begins and before and not LIST.match(before) and before[0] not in " |":
            lines.append("")
        lines.append(line)
        before = line
    return "\n".join(lines)
