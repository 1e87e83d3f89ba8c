package inspect

import (
	"quire/format/http1"
	"quire/model"
	"quire/model/finding"
)

// httpHeadEntries are the rules of RFC 9112 and RFC 9110 for the head of a message. The server's
// answer is not the container's fault: none of these is an error, and Options.Strict does not
// change them.
var httpHeadEntries = []finding.Entry{
	{
		Code: string(http1.NoStartLine), Severity: model.Warning, Clause: "RFC 9112, 2.1",
		Meaning: "The message does not begin with a status line or a request line.",
		Explanation: "Servers of HTTP/0.9 answered like this, but more often a crawler kept the body " +
			"without its head. The whole block is treated as the body, and replay has to guess its type.",
		Advice: fromTheWeb, Example: "<html>… as the first bytes of a response",
	},
	{
		Code: string(http1.LeadingBlank), Severity: model.Info, Clause: "RFC 9112, 2.2",
		Meaning:     "White space precedes the start line.",
		Explanation: "The server sent too many line breaks after the previous answer.",
		Advice:      fromTheWeb, Example: "\\r\\nHTTP/1.1 200 OK",
	},
	{
		Code: string(http1.StartLine), Severity: model.Warning, Clause: "RFC 9112, 3 and 4",
		Meaning:     "The start line does not follow the grammar.",
		Explanation: "Its parts are not separated by exactly one space, or one is missing.",
		Advice:      fromTheWeb, Example: "HTTP/1.1  200 OK",
	},
	{
		Code: string(http1.Version), Severity: model.Info, Clause: "RFC 9112, 2.3",
		Meaning: "The protocol is not HTTP of version 1.",
		Explanation: "Crawlers with a browser write answers of HTTP/2 or 3 in the form of HTTP/1.1. " +
			"Radio servers sent ICY.",
		Advice: fromTheWeb, Example: "HTTP/2 200",
	},
	{
		Code: string(http1.StatusCode), Severity: model.Warning, Clause: "RFC 9112, 4; RFC 9110, 15",
		Meaning:     "The status code is not three digits from 100 to 999.",
		Explanation: "The success of the request is not known, so the record is counted without a status.",
		Advice:      fromTheWeb, Example: "HTTP/1.1 OK",
	},
	{
		Code: string(http1.NoReason), Severity: model.Info, Clause: "RFC 9112, 4",
		Meaning:     "No space follows the status code.",
		Explanation: "It is required, even without a reason phrase.",
		Advice:      fromTheWeb, Example: "HTTP/1.1 200",
	},
	{
		Code: string(http1.LineEnd), Severity: model.Info, Clause: "RFC 9112, 2.2",
		Meaning:     "A line of the head does not end in CR LF.",
		Explanation: "CGI programs wrote LF alone for decades, and every client understands it.",
		Advice:      fromTheWeb, Example: "HTTP/1.0 200 OK\\n",
	},
	{
		Code: string(http1.HeadUnterminated), Severity: model.Warning, Clause: "RFC 9112, 2.1",
		Meaning:     "The block ends before the empty line that ends the head.",
		Explanation: "The connection was interrupted, or the crawler omitted the line. There is no body.",
		Advice:      fromTheWeb, Example: "HTTP/1.1 200 OK\\r\\nServer: x",
	},
	{
		Code: string(http1.HeadTooLarge), Severity: model.Warning, Clause: "none: a bound of Quire, 1 MiB",
		Meaning:     "The head exceeds the size that is read as a head.",
		Explanation: "The rest is treated as the body, so a payload digest cannot be checked.",
		Advice:      fromTheWeb, Example: "a cookie of two megabytes",
	},
	{
		Code: string(http1.TooManyFields), Severity: model.Warning, Clause: "none: a bound of Quire, 10 000 fields",
		Meaning:     "The head has more fields than are read.",
		Explanation: "The fields beyond the limit are not read.",
		Advice:      fromTheWeb, Example: "20 000 fields",
	},
	{
		Code: string(http1.NoColon), Severity: model.Info, Clause: "RFC 9112, 5",
		Meaning:     "A line of the head has no colon.",
		Explanation: "Misconfigured servers send such lines; clients ignore them.",
		Advice:      fromTheWeb, Example: "Served with pride",
	},
	{
		Code: string(http1.FieldName), Severity: model.Info, Clause: "RFC 9110, 5.1",
		Meaning:     "A field name is empty or has characters that names cannot have.",
		Explanation: "Clients ignore such fields.",
		Advice:      fromTheWeb, Example: "X Powered By: x",
	},
	{
		Code: string(http1.SpaceBeforeColon), Severity: model.Info, Clause: "RFC 9112, 5.1",
		Meaning:     "White space precedes the colon after a field name.",
		Explanation: "The field is read without it, as browsers do.",
		Advice:      fromTheWeb, Example: "Content-Type : text/html",
	},
	{
		Code: string(http1.FieldValue), Severity: model.Info, Clause: "RFC 9110, 5.5",
		Meaning:     "The head has a NUL or another control character.",
		Explanation: "The value is kept as it is.",
		Advice:      fromTheWeb, Example: "Server: x\\x00",
	},
	{
		Code: string(http1.Encoding), Severity: model.Info, Clause: "RFC 9110, 5.5",
		Meaning:     "The head has bytes that are not UTF-8.",
		Explanation: "Titles and file names were sent in the encoding of the page. They are kept unchanged.",
		Advice:      fromTheWeb, Example: "Content-Disposition: filename=caf\\xe9.txt",
	},
	{
		Code: string(http1.FieldConflict), Severity: model.Info, Clause: "RFC 9110, 5.3",
		Meaning: "A field that may occur only once occurs several times, with different values.",
		Explanation: "Content-Type and Location are checked. A script and its server each set one; " +
			"browsers differ in which they use. Quire uses the first.",
		Advice: fromTheWeb, Example: "Content-Type: text/html and Content-Type: text/plain",
	},
	{
		Code: string(http1.ObsFold), Severity: model.Info, Clause: "RFC 9112, 5.2",
		Meaning:     "A field continues in a line that begins with white space.",
		Explanation: "HTTP allowed it until 2014. The lines are joined by one space.",
		Advice:      fromTheWeb, Example: "Set-Cookie: a=b;\\r\\n path=/",
	},
}

// httpBodyEntries are the rules for the body and its framing.
var httpBodyEntries = []finding.Entry{
	{
		Code: string(http1.ContentLength), Severity: model.Warning, Clause: "RFC 9110, 8.6",
		Meaning:     "Content-Length is not a decimal number.",
		Explanation: "It is not known whether the body is complete.",
		Advice:      fromTheWeb, Example: "Content-Length: 1,024",
	},
	{
		Code: string(http1.ContentLengthConflict), Severity: model.Warning, Clause: "RFC 9110, 8.6; RFC 9112, 6.3",
		Meaning: "Several Content-Length differ.",
		Explanation: "It is not known whether the body is complete. The cause was proxies that added " +
			"their own field.",
		Advice: fromTheWeb, Example: "Content-Length: 5 and Content-Length: 6",
	},
	{
		Code: string(http1.LengthAndCoding), Severity: model.Info, Clause: "RFC 9112, 6.2",
		Meaning:     "Both Content-Length and Transfer-Encoding are present.",
		Explanation: "The latter holds.",
		Advice:      fromTheWeb, Example: "Content-Length: 5 and Transfer-Encoding: chunked",
	},
	{
		Code: string(http1.BodyShort), Severity: model.Warning, Clause: "RFC 9112, 8",
		Meaning: "The body has fewer bytes than its Content-Length.",
		Explanation: "The connection was interrupted, so the content is incomplete; or the crawler kept " +
			"the decoded body with the original head. An answer to a HEAD request is not reported, if its " +
			"request is among the eight records before or after it. If a policy makes this finding an error, the " +
			"request must stand before.",
		Advice: "Check whether the page was captured again. The container keeps the bytes as received: " +
			"they cannot be repaired.", Example: "Content-Length: 100 and 5 bytes",
	},
	{
		Code: string(http1.BodyLong), Severity: model.Warning, Clause: "RFC 9112, 6.3",
		Meaning: "The body has more bytes than its Content-Length.",
		Explanation: "Clients show only the length in Content-Length. Usually the crawler kept the " +
			"decoded body with the original head.",
		Advice: fromTheWeb, Example: "Content-Length: 5 and 100 bytes",
	},
	{
		Code: string(http1.BodyUnexpected), Severity: model.Info, Clause: "RFC 9112, 6.3",
		Meaning: "A status without a body has one.",
		Explanation: "Answers with 204 and 304, and interim answers (1xx), have no body. If a server " +
			"still sends one, browsers ignore it; after an interim answer, it is the final answer with " +
			"its own head.",
		Advice: fromTheWeb, Example: "HTTP/1.1 304 Not Modified before <html>",
	},
	{
		Code: string(http1.Interim), Severity: model.Info, Clause: "RFC 9110, 15.2",
		Meaning: "Interim answers precede the answer.",
		Explanation: "The server first announced that it would continue (100), or listed links that the " +
			"page needs (103), and the crawler kept this, too. Only the final answer counts here: its " +
			"status, its fields, its body. Readers that stop at the first head treat the second as " +
			"content.",
		Advice: fromTheWeb, Example: "HTTP/1.1 100 Continue and an empty line before HTTP/1.1 200 OK",
	},
	{
		Code: string(http1.TransferCoding), Severity: model.Info, Clause: "RFC 9112, 6.1",
		Meaning: "Transfer-Encoding is not exactly chunked.",
		Explanation: "Browsers do not accept other transfer codings. Chunked framing is removed if it is " +
			"the last coding, and the others are removed like content codings. Servers that write a " +
			"character set here have not applied a coding.",
		Advice: fromTheWeb, Example: "Transfer-Encoding: gzip, chunked",
	},
	{
		Code: string(http1.BodyNotChunked), Severity: model.Warning, Clause: "RFC 9112, 7.1",
		Meaning: "Transfer-Encoding is chunked, but the body is not.",
		Explanation: "The crawler removed the framing of the body but kept the head. Readers that rely " +
			"on the head lose the content.",
		Advice: askCrawler, Example: "Transfer-Encoding: chunked before <html>",
	},
	{
		Code: string(http1.ChunkSyntax), Severity: model.Warning, Clause: "RFC 9112, 7.1",
		Meaning: "A chunk violates the grammar, so the framing of the rest cannot be removed.",
		Explanation: "The payload is the part before the error. The server or a proxy sent it like this, " +
			"or bytes were lost.",
		Advice: fromTheWeb, Example: "zz in place of a chunk's size",
	},
	{
		Code: string(http1.ChunkTruncated), Severity: model.Warning, Clause: "RFC 9112, 7.1 and 8",
		Meaning:     "The body ends before its last chunk.",
		Explanation: "The connection was interrupted: the content is incomplete.",
		Advice: "Check whether the page was captured again. The container keeps the bytes as received: " +
			"they cannot be repaired.", Example: "no last chunk of size 0",
	},
	{
		Code: string(http1.ChunkLineEnd), Severity: model.Info, Clause: "RFC 9112, 7.1",
		Meaning:     "A line of the chunked framing does not end in CR LF.",
		Explanation: "The chunks can still be separated.",
		Advice:      fromTheWeb, Example: "5\\nhello",
	},
	{
		Code: string(http1.AfterBody), Severity: model.Info, Clause: "RFC 9112, 6.3",
		Meaning:     "Bytes follow the last chunk.",
		Explanation: "They are not part of the body or the payload.",
		Advice:      fromTheWeb, Example: "text after the last chunk",
	},
}
