package main

import "quire/preserve/identify"

// identifyFlags are the flags of commands that identify formats.
type identifyFlags struct {
	Identify  bool   `help:"Identify payload formats by PRONOM signatures, and report declared types that disagree."`
	Signature string `placeholder:"FILE" help:"Use this siegfried signature file instead of the built-in one."`
}

// identifier returns the format identifier, or nil without --identify.
func (f identifyFlags) identifier() (*identify.Identifier, error) {
	if !f.Identify && f.Signature == "" {
		return nil, nil
	}
	return identify.New(identify.Options{Signature: f.Signature})
}
