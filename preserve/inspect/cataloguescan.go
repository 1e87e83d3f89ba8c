package inspect

import (
	"quire/model"
	"quire/model/finding"
)

// scanEntries are the results of a virus scanner for payloads. They need a scanner.
var scanEntries = []finding.Entry{
	{
		Code: string(FaultInfected), Severity: model.Warning, Clause: "none: the verdict of clamd (ClamAV)",
		Meaning: "The scanner reports the payload as infected.",
		Explanation: "It was scanned as it would be served, without chunked framing and content codings. " +
			"The website distributed it when it was harvested, or it is a false alarm, as scanners " +
			"produce for old scripts and forgotten programs. The container itself is not damaged.",
		Advice: "Keep the container as it is, and withhold the payload from readers. Use another " +
			"scanner, or this one again with a later database.", Example: "the test file of EICAR",
	},
	{
		Code: string(FaultNotScanned), Severity: model.Warning, Clause: "none: the verdict of clamd (ClamAV)",
		Meaning: "The payload was not fully scanned.",
		Explanation: "The finding has the reason: clamd was unreachable, refuses content of that length " +
			"(StreamMaxLength), or reached one of its limits; or the content is one segment of several, " +
			"or unpacks to too much. It is not known whether it is infected.",
		Advice:  "Raise the limits in clamd.conf, and inspect the container again.",
		Example: "a film of a gigabyte, where StreamMaxLength is 100M",
	},
}
