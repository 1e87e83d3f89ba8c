#!/usr/bin/env python3
"""Makes an archive of each package with the quire of commit 672699b: make.py QUIRE FOLDER

QUIRE is the binary of that commit. FOLDER gets the archives. All content is made here."""
import base64, gzip, hashlib, os, shutil, subprocess, sys, tarfile, tempfile, zlib

quire, out = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
work = tempfile.mkdtemp()
os.chdir(work)
os.environ["TZ"] = "UTC"

D1, D2 = "2015-01-02T03:04:05Z", "2016-02-03T04:05:06Z"
HTML = "text/html; charset=utf-8"


def record(kind, id, date, ctype, block, *more):
    head = ["WARC/1.1", "WARC-Type: " + kind, f"WARC-Record-ID: <urn:x:{id}>", "WARC-Date: " + date]
    head += [*more, "Content-Type: " + ctype, f"Content-Length: {len(block)}"]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


def response(id, uri, date, mime, body, *head, status="200 OK"):
    block = "\r\n".join(["HTTP/1.1 " + status, "Content-Type: " + mime, *head]).encode() + b"\r\n\r\n" + body
    return record("response", id, date, "application/http;msgtype=response", block, "WARC-Target-URI: " + uri)


def chunked(body):
    return b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)


def revisit(id, uri, date, of, body):
    digest = "sha1:" + base64.b32encode(hashlib.sha1(body).digest()).decode()
    return record("revisit", id, date, "application/http;msgtype=response", b"HTTP/1.1 200 OK\r\nContent-Type: text/css\r\n\r\n",
                  "WARC-Target-URI: " + uri, "WARC-Refers-To-Target-URI: " + uri, "WARC-Refers-To-Date: " + of,
                  "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest", "WARC-Payload-Digest: " + digest)


STYLE = b"body { color: navy }"
HOME = b'<!doctype html><html lang="en"><title>The harbour</title><meta name="author" content="Ada"><link rel="stylesheet" href="/style.css"><p><a href="/boats">Boats</a> <a href="/old">moved</a>'
BOATS = b'<title>Boats</title><p><a href="/">Home</a> <a href="http://elsewhere.example/">away</a><img src="/boat.gif">'
GIF = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
FIELDS = b"software: made by make.py\r\nformat: WARC File Format 1.1\r\n"

first = [
    record("warcinfo", "w1", D1, "application/warc-fields", FIELDS),
    response("p1", "http://h.example/", D1, HTML, HOME),
    response("p2", "http://h.example/boats", D1, HTML, chunked(gzip.compress(BOATS, mtime=0)), "Content-Encoding: gzip", "Transfer-Encoding: chunked"),
    response("p3", "http://h.example/style.css", D1, "text/css", STYLE),
    response("p4", "http://h.example/boat.gif", D1, "image/gif", zlib.compress(GIF), "Content-Encoding: deflate"),
    response("p5", "http://h.example/old", D1, HTML, b"", "Location: /boats", status="301 Moved Permanently"),
    record("request", "q1", D1, "application/http;msgtype=request", b"GET / HTTP/1.1\r\nHost: h.example\r\nCookie: secret=1\r\n\r\n", "WARC-Target-URI: http://h.example/"),
]
second = [
    response("p6", "http://h.example/", D2, HTML, HOME.replace(b"harbour", b"port")),
    revisit("v1", "http://h.example/style.css", D2, D1, STYLE),
]


def arc(uri, day, mime, body):
    return f"{uri} 192.0.2.1 {day} {mime} {len(body)}\n".encode() + body + b"\n"


os.makedirs("crawl/logs")
with open("crawl/first.warc.gz", "wb") as f:
    f.write(b"".join(gzip.compress(r, mtime=0) for r in first))
with open("crawl/second.warc", "wb") as f:
    f.write(b"".join(second))
with open("crawl/shared member.warc.gz", "wb") as f:  # both records share a member, and a name needs percent-encoding
    f.write(gzip.compress(response("s1", "http://s.example/", D1, HTML, b"<title>S</title><a href='http://h.example/'>harbour</a>") + response("s2", "http://s.example/a", D1, "text/plain", b"a"), mtime=0))
with open("crawl/third.arc", "wb") as f:
    f.write(arc("filedesc://third.arc", "20140101000000", "text/plain", b"1 0 make.py\nURL IP-address Archive-date Content-type Archive-length\n"))
    f.write(arc("http://h.example/", "20140101000000", "text/html", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>The pier</title><a href='/boats'>boats</a>"))
with open("crawl/logs/crawl.log", "w") as f:
    f.write("made by make.py\n")
open("rights.yaml", "w").write("access: open\n")

PACKAGES = {
    "compact": ["--profile", "compact"],
    "full": ["--profile", "full"],
    "linked": ["--profile", "linked"],
    "legacy": ["--profile", "linked", "--schema-version", "legacy"],
}
for name, flags in PACKAGES.items():
    done = subprocess.run([quire, "pack", "crawl", "--out", name, "--id", "old-" + name, "--title", "The harbour", "--rights", "rights.yaml", *flags],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode not in (0, 1):  # 1: what is packed has problems
        raise SystemExit(done.stdout)
    with tarfile.open(os.path.join(out, name + ".tar.gz"), "w:gz", compresslevel=9) as t:
        t.add(name)
shutil.rmtree(work)
