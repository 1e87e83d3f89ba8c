"""Rewrites pages with pywb and compares the result with Quire's.

Reads lines "BODY<tab>KIND<tab>URL<tab>CHARSET"; Quire's result for BODY is in BODY.ours. Python's
html.parser parses both results, and each attribute is compared: its URL and its kind. Writes

    count     CLASS  WHERE  NUMBER        WHERE is ELEMENT@ATTRIBUTE
    example   CLASS  WHERE  CAPTURED  OURS  THEIRS  URL

pywb is run as a separate program, and no part of Quire imports it.
"""
import collections
import html as entities
import re
import sys
from html.parser import HTMLParser
from urllib.parse import quote, unquote_to_bytes, urljoin, urlsplit

unescape = entities.unescape  # pywb makes html.parser's own do nothing

from pywb.rewrite.html_rewriter import HTMLRewriter
from pywb.rewrite.regex_rewriters import CSSRewriter, JSNoneRewriter
from pywb.rewrite.url_rewriter import UrlRewriter

PREFIX = "/all/20150102030405"
HERE = "http://replay.test"
REPLAYED = re.compile(r"^/all/20150102030405([a-z]{2}_)?/(.*)$", re.S)
WITHIN = re.compile(r"""/all/20150102030405([a-z]{2}_)?/([^\s"'()<>\\;]+(?:[^\s"'()<>\\;,]))""")
LISTS = {"srcset", "imagesrcset", "style", "content", "data-srcset", "archive"}
KINDS = {"oe_": "im_", "fr_": "if_", None: "mp_"}  # pywb's names of the same kinds


class Tags(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.styles, self.open = [], [], None

    def handle_starttag(self, tag, attrs):
        first = {}
        for name, value in attrs:
            first.setdefault(name, unescape(value or ""))
        self.tags.append((tag, first))
        self.open = tag

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)

    def handle_data(self, data):
        if self.open == "style":
            self.styles.append(data)

    def handle_endtag(self, tag):
        self.open = None


def parsed(text):
    tags = Tags()
    tags.feed(text)
    tags.close()
    return tags


def spelt(url):
    """Returns one spelling for all spellings of a URL."""
    try:
        parts = urlsplit(re.sub(r"^(https?:)?/+", "http://", url))  # pywb writes scheme-relative URLs with "///"; urljoin removes slashes
        path = quote(unquote_to_bytes(re.sub(r"\\", "/", parts.path or "/")), safe="/")
        query = quote(unquote_to_bytes(parts.query), safe="=&")
        host = (parts.hostname or "") + (f":{parts.port}" if parts.port not in (None, 80, 443) else "")
        return host, path, query
    except ValueError:
        return url


def leads(value, base):
    """Returns the kind and URL of a value in the replay; None if it leads elsewhere or is no URL."""
    value = value.strip()
    if re.match(r"(?i)^(javascript|data|mailto|about|blob|tel):|^#|^$", value):
        return None
    try:
        url = urljoin(base, value)
    except ValueError:
        return None
    if not url.startswith(HERE):
        return None
    m = REPLAYED.match(url[len(HERE):])
    return m and (KINDS.get(m[1], m[1]), m[2])


def classify(name, captured, ours, theirs, base, their_base):
    if ours == theirs:
        return None if ours == captured else "the same"
    if name in LISTS:
        a = [(KINDS.get(k or None, k), spelt(u)) for k, u in WITHIN.findall(ours)]
        b = [(KINDS.get(k or None, k), spelt(u)) for k, u in WITHIN.findall(theirs)]
        if a and not b:
            return "only we rewrite a list"
        if b and not a:
            return "only pywb rewrites a list"
        if [u for _, u in a] == [u for _, u in b]:
            return "a list, with another word for the kind"
        return "lists that differ"
    if ours == captured and theirs != captured:
        if REPLAYED.match(theirs):
            return "only pywb rewrites"
        return "pywb changes what is no URL"
    a, b = leads(ours, HERE + base), leads(theirs, HERE + their_base)
    if a is None or b is None:
        if a is None and b is None:
            return "neither leads into the replay"
        return "only ours leads into the replay" if a else "only theirs leads into the replay"
    same = spelt(a[1].split("#")[0]) == spelt(b[1].split("#")[0])
    if not same:
        return "they lead to different URLs"
    if theirs == captured:
        return "relative there, to the same URL"
    if b[1].startswith("//"):
        return "scheme-relative there, to the same URL"
    if a[0] != b[0]:
        return "the same URL, as another kind"
    return "the same URL, spelt otherwise"


counts, examples = collections.Counter(), {}


def note(kind, where, *example):
    counts[kind, where] += 1
    examples.setdefault((kind, where), [re.sub(r"\s+", " ", str(e))[:160] for e in example])


def css(where, captured, ours, theirs, url):
    a = [(k, spelt(u)) for k, u in WITHIN.findall(ours)]
    b = [(KINDS.get(k or None, k), spelt(u)) for k, u in WITHIN.findall(theirs)]
    if [u for _, u in a] == [u for _, u in b]:
        for (k, _), (j, _) in zip(a, b):
            note("the same" if k == j else "the same URL, as another kind", where, captured, ours, theirs, url)
        return
    only_a = collections.Counter(u for _, u in a) - collections.Counter(u for _, u in b)
    only_b = collections.Counter(u for _, u in b) - collections.Counter(u for _, u in a)
    for u in (collections.Counter(u for _, u in a) & collections.Counter(u for _, u in b)).elements():
        note("the same", where, captured, ours, theirs, url)
    for u in only_a.elements():
        note("only we rewrite, or pywb leaves it relative", where, u, "", "", url)
    for u in only_b.elements():
        note("only pywb rewrites", where, u, "", "", url)


def html(captured, ours, theirs, url):
    o, a, b = parsed(captured), parsed(ours), parsed(theirs)
    if [t for t, _ in o.tags] != [t for t, _ in a.tags]:
        note("PAGE: our tags are not those of the page", "", "", "", "", url)
        return
    if [t for t, _ in o.tags] != [t for t, _ in b.tags]:
        b.tags = [t for t in b.tags if not (t[0] == "base" and t not in o.tags)] if len(b.tags) == len(o.tags) + 1 else b.tags
        if [t for t, _ in o.tags] != [t for t, _ in b.tags]:
            note("PAGE: pywb's tags are not those of the page", "", "", "", "", url)
            return
    base = their_base = PREFIX + "mp_/" + url
    based = False
    for (tag, was), (_, we), (_, they) in zip(o.tags, a.tags, b.tags):
        for name, captured_value in was.items():
            where = f"{tag}@{name}"
            if "_" + name in we or "_" + name in they:
                both = "_" + name in we and "_" + name in they
                if name not in was or "_" + name not in was:
                    note("disarmed by both" if both else "disarmed by us" if "_" + name in we else "disarmed by pywb", where, captured_value, "", "", url)
                continue
            x, y = we.get(name, ""), they.get(name, "")
            kind = classify(name, captured_value, x, y, base, their_base)
            if kind:
                note(kind, where, captured_value, x, y, url)
        if tag == "base" and not based and "href" in was:
            based = True
            base = urljoin(base, we["href"])
            their_base = urljoin(their_base, they.get("href", ""))
    css("style", "", "\n".join(a.styles), "\n".join(b.styles), url)


def main():
    for line in sys.stdin:
        if not line.strip():
            continue
        path, kind, url, charset = line.rstrip("\n").split("\t")
        body, made = (open(p, "rb").read() for p in (path, path + ".ours"))
        reads = "utf-8" if charset == "utf-8" else "latin-1"  # as pywb does; latin-1 keeps the bytes of any charset
        text, ours = body.decode(reads, "replace"), made.decode(reads, "replace")
        rewriter = UrlRewriter("20150102030405mp_/" + url, "/all/")
        if kind == "css":
            css("(style sheet)", "", ours, CSSRewriter(rewriter).rewrite_complete(text), url)
            continue
        pywb = HTMLRewriter(rewriter, url=url, defmod="mp_", js_rewriter_class=JSNoneRewriter, charset=charset or "iso-8859-1")
        theirs = pywb.rewrite(text) + pywb.final_read()
        html(text, ours, theirs, url)
    for (kind, where), n in counts.most_common():
        print("count", kind, where, n, sep="\t")
    for (kind, where), example in examples.items():
        print("example", kind, where, *example, sep="\t")


main()
