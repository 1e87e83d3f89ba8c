"""Makes keys as pywb does.

Reads one JSON object a line, {"url": ...} or {"url", "method", "type", "body" in Base64}. Writes
one key a line, as JSON; null if pywb fails.
"""
import base64
import contextlib
import io
import json
import sys

from pywb.utils.canonicalize import canonicalize
from pywb.warcserver.inputrequest import MethodQueryCanonicalizer

for line in sys.stdin:
    if not line.strip():
        continue
    asked = json.loads(line)
    url = asked["url"]
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            if asked.get("method"):
                body = base64.b64decode(asked.get("body") or "")
                query = MethodQueryCanonicalizer(asked["method"], asked.get("type") or "", len(body), io.BytesIO(body))
                url = query.append_query(url)
            key = canonicalize(url)
    except Exception:  # any error of a peer is a result
        key = None
    print(json.dumps(key))
