package main

import "quire/source/detect"

// sourceFlags are the flags for interpreting a source, in every command that takes one.
type sourceFlags struct {
	URLPrefix string   `name:"url-prefix" placeholder:"URL" help:"Base URL for files that no crawler's records explain; they are treated as a website."`
	Dump      []string `sep:"none" placeholder:"FILE" help:"A database dump of the Web Curator Tool, PANDAS or NetarchiveSuite. Dumps in the source, or beside it, are found automatically."`
}

func (f sourceFlags) options() detect.Options {
	return detect.Options{URLPrefix: f.URLPrefix, Dumps: f.Dump}
}
