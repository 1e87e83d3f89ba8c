# Makes the source of the packages in packages.zip. quire at commit d675d60e packed it, with
#   quire pack oldsrc --profile P --id old-P --out P --clamd ... --cleaner "wash {input} {output}"
# in the profiles compact and full. clamd had a signature for the text QUIRE-HARMLESS-SIGNATURE.
import os, uuid
for d in ("c", "m/hts-cache", "m/h.example"):
    os.makedirs("oldsrc/" + d)
def rec(typ,body,*h):
    head="WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:uuid:%s>\r\nWARC-Date: 2015-03-04T05:06:07Z\r\n"%(typ,uuid.uuid4())
    for x in h: head+=x+"\r\n"
    return head.encode()+b"Content-Length: %d\r\n\r\n"%len(body)+body+b"\r\n\r\n"
http=lambda ct,b: b"HTTP/1.1 200 OK\r\nContent-Type: "+ct+b"\r\nContent-Length: %d\r\n\r\n"%len(b)+b
out=rec("warcinfo",b"software: Heritrix/3.4.0\r\n","Content-Type: application/warc-fields")
out+=rec("response",http(b"text/html",b"<html><title>Shop</title>hi</html>"),"WARC-Target-URI: http://x.example/","Content-Type: application/http;msgtype=response")
out+=rec("response",http(b"application/octet-stream",b"QUIRE-HARMLESS-SIGNATURE, to be found by a scanner"),"WARC-Target-URI: http://x.example/viral","Content-Type: application/http;msgtype=response")
open('oldsrc/c/a.warc','wb').write(out)
open('oldsrc/c/a.cdx','w').write(" CDX N b a m s k r M S V g\n"); open('oldsrc/c/crawl.log','w').write("x\n")
row="date\tsize'/'remotesize\tflags(request:Update,Range state:File response:Modified,Chunked,gZipped)\tstatuscode\tstatus ('servermsg')\tMIME\tEtag|Date\tURL\tlocalfile\t(from URL)\n21:06:00\t40/40\t---M--\t200\tadded ('OK')\ttext/html\tdate:Fri,%2020%20Nov%202026%2021:06:00%20GMT\thttp://h.example/a.html\th.example/a.html\t(from )\n"
open('oldsrc/m/hts-cache/new.txt','w').write(row)
open('oldsrc/m/hts-log.txt','w').write("HTTrack3.49-4 launched on Fri, 20 Nov 2026 21:05:59 at http://h.example/a.html\n(httrack http://h.example/a.html -O m )\n")
open('oldsrc/m/h.example/a.html','w').write('<html><a href="b.html">b</a></html>')
