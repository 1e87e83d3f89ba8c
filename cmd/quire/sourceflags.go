package main

import "quire/source/detect"

// sourceFlags say how a source is to be understood, in every command that takes one.
type sourceFlags struct {
	URLPrefix string   `name:"url-prefix" placeholder:"URL" help:"Where the files stood that no crawler explains: what no reader knows is then taken for a website."`
	Dump      []string `sep:"none" placeholder:"FILE" help:"A dump of the database of the Web Curator Tool, PANDAS or NetarchiveSuite. Those in the source, or beside it, are found without being named."`
}

func (f sourceFlags) options() detect.Options {
	return detect.Options{URLPrefix: f.URLPrefix, Dumps: f.Dump}
}
