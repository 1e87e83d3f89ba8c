package main

import "quire/source/detect"

// sourceFlags say how a source is to be understood, in every command that takes one.
type sourceFlags struct {
	URLPrefix string   `name:"url-prefix" placeholder:"URL" help:"Base URL for files that no crawler's records explain; they are treated as a website."`
	Dump      []string `sep:"none" placeholder:"FILE" help:"A dump of the database of the Web Curator Tool, PANDAS or NetarchiveSuite. Those in the source, or beside it, are found without being named."`
}

func (f sourceFlags) options() detect.Options {
	return detect.Options{URLPrefix: f.URLPrefix, Dumps: f.Dump}
}
