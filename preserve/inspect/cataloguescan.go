package inspect

import (
	"quire/model"
	"quire/model/finding"
)

// scanEntries are what a virus scanner says of payloads. They are found when one is asked.
var scanEntries = []finding.Entry{
	{
		Code: string(FaultInfected), Severity: model.Warning, Clause: "none: the verdict of clamd (ClamAV)",
		Meaning: "The scanner takes the payload for infected.",
		Explanation: "It was scanned as it would be served, without chunked framing and content codings. The website " +
			"spread this when it was harvested, or the scanner is wrong, as scanners are of old scripts and of " +
			"programs that nobody knows any more. The container is not the worse for it.",
		Advice: "Keep the container as it is, and keep the payload from readers. Ask another scanner, or this " +
			"one again with a later database.", Example: "the test file of EICAR",
	},
	{
		Code: string(FaultNotScanned), Severity: model.Warning, Clause: "none: the verdict of clamd (ClamAV)",
		Meaning: "The payload was not scanned to its end.",
		Explanation: "The finding says why: clamd was away, takes no content of that length (StreamMaxLength), or " +
			"met one of its limits; or the content is one segment of several, or unpacks to too much. Whether it is " +
			"infected is not known.",
		Advice:  "Raise the limits in clamd.conf, and inspect the container again.",
		Example: "a film of a gigabyte, where StreamMaxLength is 100M",
	},
}
