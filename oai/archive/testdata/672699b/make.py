#!/usr/bin/env python3
"""Makes repository.tar.gz and the lists beside it, with the quire of commit 672699b: make.py QUIRE FOLDER

QUIRE is the binary of that commit. FOLDER gets repository.tar.gz, second.txt and again.txt. All content is made here."""
import base64, gzip, hashlib, os, re, shutil, socket, struct, subprocess, sys, tarfile, tempfile, threading, time, urllib.parse, urllib.request

quire, out = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
work = tempfile.mkdtemp()
os.chdir(work)
os.environ["TZ"] = "UTC"

VIRUS = "what the scanner of this test takes for a virus"
D1, D2 = "2015-01-02T03:04:05Z", "2016-02-03T04:05:06Z"


def record(kind, id, uri, date, ctype, block, *more):
    block = block if isinstance(block, bytes) else block.encode()
    head = ["WARC/1.1", "WARC-Type: " + kind, f"WARC-Record-ID: <urn:x:{id}>"]
    if date:
        head.append("WARC-Date: " + date)
    head += ["WARC-Target-URI: " + uri, *more, "Content-Type: " + ctype, f"Content-Length: {len(block)}"]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


def response(id, uri, date, mime, body, *more):
    b = body.encode()
    return record("response", id, uri, date, "application/http;msgtype=response",
                  f"HTTP/1.1 200 OK\r\nContent-Type: {mime}\r\nContent-Length: {len(b)}\r\n\r\n".encode() + b, *more)


def chunked(id, uri, date, mime, body):
    b = body.encode()
    return record("response", id, uri, date, "application/http;msgtype=response",
                  f"HTTP/1.1 200 OK\r\nContent-Type: {mime}\r\nTransfer-Encoding: chunked\r\n\r\n{len(b):x}\r\n".encode() + b + b"\r\n0\r\n\r\n")


def revisit(id, uri, date, mime, body):
    digest = "sha1:" + base64.b32encode(hashlib.sha1(body.encode()).digest()).decode()
    return record("revisit", id, uri, date, "application/http;msgtype=response", f"HTTP/1.1 200 OK\r\nContent-Type: {mime}\r\n\r\n",
                  "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest", "WARC-Payload-Digest: " + digest)


def request(id, uri, date, of, method, body):
    return record("request", id, uri, date, "application/http;msgtype=request",
                  f"{method} / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n{body}",
                  f"WARC-Concurrent-To: <urn:x:{of}>")


def clamd(path):
    """A clamd that finds VIRUS."""
    s = socket.socket(socket.AF_UNIX)
    s.bind(path)
    s.listen(8)

    def exactly(c, n):
        b = b""
        while len(b) < n:
            more = c.recv(n - len(b))
            if not more:
                return b
            b += more
        return b

    def serve(c):
        session, n = False, 0
        while True:
            word = b""
            while not word.endswith(b"\0"):
                b = c.recv(1)
                if not b:
                    return
                word += b
            word, n = word.strip(b"\0").lstrip(b"z"), n + 1
            say = lambda t: c.sendall((f"{n}: " if session else "").encode() + t + b"\0")
            if word == b"IDSESSION":
                session, n = True, 0
                continue
            if word == b"END":
                return
            if word == b"PING":
                say(b"PONG")
            elif word == b"VERSION":
                say(b"ClamAV 1.4.6/27460/Mon Nov 23 08:00:00 2026")
            elif word == b"INSTREAM":
                data = b""
                while (size := struct.unpack(">I", exactly(c, 4))[0]):
                    data += exactly(c, size)
                say(b"stream: Test-Signature FOUND" if VIRUS.encode() in data else b"stream: OK")
            else:
                say(b"UNKNOWN COMMAND")
            if not session:
                return

    def one(c):
        with c:
            serve(c)

    def loop():
        while True:
            threading.Thread(target=one, args=(s.accept()[0],), daemon=True).start()

    threading.Thread(target=loop, daemon=True).start()


def run(*args):
    done = subprocess.run([quire, *args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode not in (0, 1 if args[0] == "pack" else 0):  # 1: what is packed has problems
        raise SystemExit(done.stdout)


def pack(id, rights, containers, *flags):
    shutil.rmtree("crawl", ignore_errors=True)
    shutil.rmtree("package", ignore_errors=True)
    os.mkdir("crawl")
    for name, records in containers.items():
        with open("crawl/" + name, "wb") as f:
            f.write(b"".join(gzip.compress(r, mtime=0) for r in records) if name.endswith(".gz") else b"".join(records))
    if rights:
        open("rights.yaml", "w").write(rights)
        flags += ("--rights", "rights.yaml")
    run("pack", "crawl", "--out", "package", "--id", id, "--title", "The site " + id, *flags)
    run("ingest", "package", "--repo", "repo", "--new-version")


def collect(id, title, rights, *packages):
    shutil.rmtree("coll", ignore_errors=True)
    shutil.rmtree("coll-out", ignore_errors=True)
    os.mkdir("coll")
    for p in packages:
        run("export", p, "--repo", "repo", "--out", "coll/" + p)
    open("coll/rights.yaml", "w").write(rights)
    open("coll/c.yaml", "w").write(f"id: {id}\ntitle: {title}\nrights: rights.yaml\nharvests:\n" + "".join(f"  - packages: [{p}]\n" for p in packages))
    run("pack", "--collection", "coll/c.yaml", "--out", "coll-out")
    run("ingest", "coll-out", "--repo", "repo")


def ask(base, **query):
    for _ in range(50):
        try:
            return urllib.request.urlopen(base + "?" + urllib.parse.urlencode(query)).read().decode()
        except urllib.error.HTTPError as e:
            if e.code != 503:
                raise
        except OSError:
            pass
        time.sleep(0.2)
    raise SystemExit("no answer")


def lists(name):
    """Asks a server for all headers and all sets, and writes them down."""
    port = 18300 + os.getpid() % 500
    server = subprocess.Popen([quire, "oai", "serve", "--repo", "repo", "--listen", f"127.0.0.1:{port}"], stderr=subprocess.DEVNULL)
    base, lines = f"http://127.0.0.1:{port}/modoai", []
    try:
        query = {"verb": "ListIdentifiers", "metadataPrefix": "oai_crate"}
        while True:
            text = ask(base, **query)
            for h in re.findall(r"<header.*?</header>", text, re.S):
                pick = lambda tag: [x.replace("&amp;", "&") for x in re.findall(f"<{tag}>(.*?)</{tag}>", h, re.S)]
                lines.append(" ".join([pick("identifier")[0], pick("datestamp")[0], "deleted" if 'status="deleted"' in h else "shown", *sorted(pick("setSpec"))]))
            token = re.search(r"<resumptionToken[^>]*>([^<]+)<", text)
            if not token:
                break
            query = {"verb": "ListIdentifiers", "resumptionToken": token[1]}
        for s in re.findall(r"<set>.*?</set>", ask(base, verb="ListSets"), re.S):
            lines.append("set " + " ".join(re.findall(r"<set(?:Spec|Name)>(.*?)</set(?:Spec|Name)>", s, re.S)))
    finally:
        server.terminate()
        server.wait()
    open(os.path.join(out, name), "w").write("\n".join(sorted(lines)) + "\n")


html = "text/html; charset=utf-8"
clamd("clamd.sock")
run("init", "repo")
open_ = "access: open\n"
style = response("a2", "http://a.example/style.css", D1, "text/css", "body { color: navy }")
pack("alpha", open_, {
    "a.warc.gz": [
        response("a1", "http://a.example/", D1, html, "<title>Alpha</title><p>the first page"), style,
        response("a3", "http://a.example/gone", D1, html, "<p>in version 1 only"),
        record("resource", "a4", "http://a.example/no-date", "", "text/plain", "nobody knows when"),
        record("resource", "a5", "dns:a.example", D1, "text/dns", "20150102030405\na.example. 1 IN A 192.0.2.1\n"),
        revisit("a6", "http://a.example/again", D2, html, "<title>Alpha</title><p>the first page"),
        revisit("a7", "http://a.example/late", D2, html, "<p>the payload came later"),
        revisit("a8", "http://a.example/never", D2, html, "<p>the payload never came"),
    ],
    "b.warc": [style, chunked("a9", "http://pictures.a.example/x y.svg?q=é", D2, "image/svg+xml", "<svg/>")],
})
pack("beta", "access: open\nembargo: {until: 2099-12-31, access: restricted}\nrules:\n  - urls: http://b.example/private/\n    access: onsite\n", {
    "b.warc.gz": [
        response("b1", "http://b.example/", D1, html, "<p>opens in 2100"), response("b2", "http://b.example/private/x", D1, html, "<p>onsite, in 2100 too"),
    ]})
pack("gamma", open_, {
    "g.warc.gz": [
        response("g1", "http://g.example/", D1, html, "<p>clean"), response("g2", "http://g.example/virus.txt", D1, "text/plain", VIRUS),
        request("g4", "http://g.example/form", D2, "g3", "POST", "name=Ada"), response("g3", "http://g.example/form", D2, html, "<p>thanks"),
    ]}, "--clamd", os.path.join(work, "clamd.sock"))
pack("epsilon", open_, {"e.warc.gz": [response("e1", "http://e.example/", D1, html, "<p>closed by a collection later")]})
pack("shut", "access: restricted\n", {"s.warc.gz": [response("s1", "http://s.example/", D1, html, "<p>for staff")]})
collect("harbours", "Harbour websites", open_, "alpha", "gamma")
lists("first.txt")  # later versions and collections come behind a list that was answered
time.sleep(2)
pack("alpha", open_, {
    "a2.warc.gz": [response("a10", "http://a.example/", D2, html, "<title>Alpha</title><p>the second page"), style],
    "b.warc.gz": [revisit("a6", "http://a.example/again", D2, html, "<title>Alpha</title><p>the first page"),
                  revisit("a7", "http://a.example/late", D2, html, "<p>the payload came later"),
                  response("a1", "http://a.example/", D1, html, "<title>Alpha</title><p>the first page"),
                  record("resource", "a4", "http://a.example/no-date", "", "text/plain", "nobody knows when")],
})
pack("delta", open_, {"d.warc.gz": [response("d1", "http://d.example/", D1, html, "<p>the payload came later")]})
collect("closed", "What is closed again", "access: restricted\n", "epsilon")
lists("second.txt")
run("index", "--repo", "repo")
os.rename("repo/oai", "oai")
lists("again.txt")  # of an index that is made again
shutil.rmtree("repo/oai")
os.rename("oai", "repo/oai")
with tarfile.open(os.path.join(out, "repository.tar.gz"), "w:gz", compresslevel=9) as t:
    t.add("repo", filter=lambda i: None if i.name.startswith(("repo/oai/tools", "repo/access/text")) else i)
shutil.rmtree(work, ignore_errors=True)
