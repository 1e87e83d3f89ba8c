package main

// oaiCmd has the commands of OAI-PMH, the protocol by which archives ask servers and each other for
// records.
type oaiCmd struct {
	Serve   oaiServeCmd   `cmd:"" help:"Let archives harvest a repository: each bytestream that was captured is a record."`
	Harvest oaiHarvestCmd `cmd:"" help:"Harvest an OAI-PMH server into WARC files, a package or plain files."`
	Check   oaiCheckCmd   `cmd:"" help:"Test an OAI-PMH server, and list its defects with the next steps."`
}
