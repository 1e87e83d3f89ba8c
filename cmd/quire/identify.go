package main

import "quire/preserve/identify"

// identifyFlags are those of commands that identify formats.
type identifyFlags struct {
	Identify  bool   `help:"Identify the formats of payloads by the signatures of PRONOM, and doubt declared types."`
	Signature string `placeholder:"FILE" help:"Identify by this signature file of siegfried instead of the built-in one."`
}

// identifier returns the identifier of formats, or nil without --identify.
func (f identifyFlags) identifier() (*identify.Identifier, error) {
	if !f.Identify && f.Signature == "" {
		return nil, nil
	}
	return identify.New(identify.Options{Signature: f.Signature})
}
