package inspect

import (
	"quire/format/http1"
	"quire/model"
	"quire/model/finding"
)

// httpHeadEntries are the rules of RFC 9112 and RFC 9110 on the head of a message. What the web
// sent is not the container's fault: none of these is an error, and Options.Strict leaves them as
// they are.
var httpHeadEntries = []finding.Entry{
	{
		Code: string(http1.NoStartLine), Severity: model.Warning, Clause: "RFC 9112, 2.1",
		Meaning: "The message does not begin with a status line or a request line.",
		Explanation: "Servers of HTTP/0.9 answered like this; more often a crawler kept the body without its head. " +
			"All of it is taken for the body, and replay has to guess its type.",
		Advice: fromTheWeb, Example: "<html>… as the first bytes of a response",
	},
	{
		Code: string(http1.LeadingBlank), Severity: model.Info, Clause: "RFC 9112, 2.2",
		Meaning:     "White space stands before the start line.",
		Explanation: "The server sent too many line breaks after the answer before.",
		Advice:      fromTheWeb, Example: "\\r\\nHTTP/1.1 200 OK",
	},
	{
		Code: string(http1.StartLine), Severity: model.Warning, Clause: "RFC 9112, 3 and 4",
		Meaning:     "The start line does not follow the grammar.",
		Explanation: "Its parts are separated by other than one space, or one is missing.",
		Advice:      fromTheWeb, Example: "HTTP/1.1  200 OK",
	},
	{
		Code: string(http1.Version), Severity: model.Info, Clause: "RFC 9112, 2.3",
		Meaning: "The protocol is not HTTP of version 1.",
		Explanation: "Crawlers that use a browser write what it got over HTTP/2 or 3 in the form of HTTP/1.1. Radio " +
			"servers sent ICY.",
		Advice: fromTheWeb, Example: "HTTP/2 200",
	},
	{
		Code: string(http1.StatusCode), Severity: model.Warning, Clause: "RFC 9112, 4; RFC 9110, 15",
		Meaning:     "The status code is not three digits from 100 to 999.",
		Explanation: "Whether the request succeeded is not known, so the record is counted under no status.",
		Advice:      fromTheWeb, Example: "HTTP/1.1 OK",
	},
	{
		Code: string(http1.NoReason), Severity: model.Info, Clause: "RFC 9112, 4",
		Meaning:     "No space follows the status code.",
		Explanation: "It has to, even when there is no reason phrase behind it.",
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
		Explanation: "The connection broke off, or the crawler left the line out. There is no body.",
		Advice:      fromTheWeb, Example: "HTTP/1.1 200 OK\\r\\nServer: x",
	},
	{
		Code: string(http1.HeadTooLarge), Severity: model.Warning, Clause: "none: a bound of Quire, 1 MiB",
		Meaning:     "The head is larger than any that is read as one.",
		Explanation: "What lies beyond is taken for the body, so that a payload digest cannot be checked.",
		Advice:      fromTheWeb, Example: "a cookie of two megabytes",
	},
	{
		Code: string(http1.TooManyFields), Severity: model.Warning, Clause: "none: a bound of Quire, 10 000 fields",
		Meaning:     "The head has more fields than any that is read whole.",
		Explanation: "The fields beyond are not looked at.",
		Advice:      fromTheWeb, Example: "20 000 fields",
	},
	{
		Code: string(http1.NoColon), Severity: model.Info, Clause: "RFC 9112, 5",
		Meaning:     "A line of the head has no colon.",
		Explanation: "Misconfigured servers send such lines; clients pass over them.",
		Advice:      fromTheWeb, Example: "Served with pride",
	},
	{
		Code: string(http1.FieldName), Severity: model.Info, Clause: "RFC 9110, 5.1",
		Meaning:     "A field name is empty or has characters no name may have.",
		Explanation: "Clients pass over such fields.",
		Advice:      fromTheWeb, Example: "X Powered By: x",
	},
	{
		Code: string(http1.SpaceBeforeColon), Severity: model.Info, Clause: "RFC 9112, 5.1",
		Meaning:     "White space stands between a field name and its colon.",
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
		Explanation: "Titles and file names were sent in the encoding of the page. They are kept as they are.",
		Advice:      fromTheWeb, Example: "Content-Disposition: filename=caf\\xe9.txt",
	},
	{
		Code: string(http1.FieldConflict), Severity: model.Info, Clause: "RFC 9110, 5.3",
		Meaning: "A field that may be there once is there several times, with different values.",
		Explanation: "Content-Type and Location are looked at. A script and its server each set one; browsers differ " +
			"in which they take. Quire takes the first.",
		Advice: fromTheWeb, Example: "Content-Type: text/html and Content-Type: text/plain",
	},
	{
		Code: string(http1.ObsFold), Severity: model.Info, Clause: "RFC 9112, 5.2",
		Meaning:     "A field goes on in a line that begins with white space.",
		Explanation: "HTTP allowed it until 2014. The lines are joined by one space.",
		Advice:      fromTheWeb, Example: "Set-Cookie: a=b;\\r\\n path=/",
	},
}

// httpBodyEntries are the rules on the body and its framing.
var httpBodyEntries = []finding.Entry{
	{
		Code: string(http1.ContentLength), Severity: model.Warning, Clause: "RFC 9110, 8.6",
		Meaning:     "Content-Length is not a decimal number.",
		Explanation: "Whether the body is whole cannot be told.",
		Advice:      fromTheWeb, Example: "Content-Length: 1,024",
	},
	{
		Code: string(http1.ContentLengthConflict), Severity: model.Warning, Clause: "RFC 9110, 8.6; RFC 9112, 6.3",
		Meaning:     "Several Content-Length differ.",
		Explanation: "Whether the body is whole cannot be told. Proxies that added their own caused it.",
		Advice:      fromTheWeb, Example: "Content-Length: 5 and Content-Length: 6",
	},
	{
		Code: string(http1.LengthAndCoding), Severity: model.Info, Clause: "RFC 9112, 6.2",
		Meaning:     "Content-Length stands beside Transfer-Encoding.",
		Explanation: "The latter holds.",
		Advice:      fromTheWeb, Example: "Content-Length: 5 and Transfer-Encoding: chunked",
	},
	{
		Code: string(http1.BodyShort), Severity: model.Warning, Clause: "RFC 9112, 8",
		Meaning: "The body has fewer bytes than its Content-Length.",
		Explanation: "The connection broke off, so the content is not whole; or the crawler kept the decoded body " +
			"with the original head; or it was the answer to a HEAD request.",
		Advice: "Look whether the page was captured again. The container keeps what came: nothing can be " +
			"repaired.", Example: "Content-Length: 100 and 5 bytes",
	},
	{
		Code: string(http1.BodyLong), Severity: model.Warning, Clause: "RFC 9112, 6.3",
		Meaning: "The body has more bytes than its Content-Length.",
		Explanation: "Clients show as much as Content-Length says. Mostly, the crawler kept the decoded body with " +
			"the original head.",
		Advice: fromTheWeb, Example: "Content-Length: 5 and 100 bytes",
	},
	{
		Code: string(http1.BodyUnexpected), Severity: model.Info, Clause: "RFC 9112, 6.3",
		Meaning: "A body follows a status that has none.",
		Explanation: "Answers with 204 and 304, and interim answers (1xx), have no body. Servers send one all the " +
			"same, and browsers pass over it; behind an interim answer, it is the final one, with its own head.",
		Advice: fromTheWeb, Example: "HTTP/1.1 304 Not Modified before <html>",
	},
	{
		Code: string(http1.Interim), Severity: model.Info, Clause: "RFC 9110, 15.2",
		Meaning: "Other answers stand before the answer.",
		Explanation: "The server first said that it would go on (100), or what the page would need (103), and the " +
			"crawler kept that too. The answer behind them is the one that counts here: its status, its fields, its " +
			"body. Readers that stop at the first head take the second for content.",
		Advice: fromTheWeb, Example: "HTTP/1.1 100 Continue and an empty line before HTTP/1.1 200 OK",
	},
	{
		Code: string(http1.TransferCoding), Severity: model.Info, Clause: "RFC 9112, 6.1",
		Meaning: "Transfer-Encoding names something else than chunked framing alone.",
		Explanation: "No browser asks for other transfer codings. Chunked framing is removed where it is the last of " +
			"them, and the others as content codings are; servers that write a character set here have not coded " +
			"anything.",
		Advice: fromTheWeb, Example: "Transfer-Encoding: gzip, chunked",
	},
	{
		Code: string(http1.BodyNotChunked), Severity: model.Warning, Clause: "RFC 9112, 7.1",
		Meaning: "Transfer-Encoding says chunked, the body is not.",
		Explanation: "The crawler kept the body without its framing and the head with it. Readers that believe the " +
			"head lose the content.",
		Advice: askCrawler, Example: "Transfer-Encoding: chunked before <html>",
	},
	{
		Code: string(http1.ChunkSyntax), Severity: model.Warning, Clause: "RFC 9112, 7.1",
		Meaning:     "A chunk breaks the grammar, so that the rest cannot be told from framing.",
		Explanation: "What lies before is the payload. The server or a proxy sent it so, or bytes were lost.",
		Advice:      fromTheWeb, Example: "zz in place of a chunk's size",
	},
	{
		Code: string(http1.ChunkTruncated), Severity: model.Warning, Clause: "RFC 9112, 7.1 and 8",
		Meaning:     "The body ends before its last chunk.",
		Explanation: "The connection broke off: the content is not whole.",
		Advice: "Look whether the page was captured again. The container keeps what came: nothing can be " +
			"repaired.", Example: "no last chunk of size 0",
	},
	{
		Code: string(http1.ChunkLineEnd), Severity: model.Info, Clause: "RFC 9112, 7.1",
		Meaning:     "A line of the chunked framing does not end in CR LF.",
		Explanation: "The chunks can be told apart all the same.",
		Advice:      fromTheWeb, Example: "5\\nhello",
	},
	{
		Code: string(http1.AfterBody), Severity: model.Info, Clause: "RFC 9112, 6.3",
		Meaning:     "Bytes follow the last chunk.",
		Explanation: "They belong to no body, and are not part of the payload.",
		Advice:      fromTheWeb, Example: "text behind the last chunk",
	},
}
