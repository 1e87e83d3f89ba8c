package main

// oaiCmd has the commands of OAI-PMH, the protocol for harvesting records from servers.
type oaiCmd struct {
	Serve   oaiServeCmd   `cmd:"" help:"Serve a repository to harvesters: each captured bytestream is a record."`
	Harvest oaiHarvestCmd `cmd:"" help:"Harvest an OAI-PMH server into WARC files, a package or plain files."`
	Check   oaiCheckCmd   `cmd:"" help:"Test an OAI-PMH server, and list its defects with the next steps."`
}
