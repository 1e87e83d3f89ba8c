package main

import (
	"errors"

	"quire/preserve/antivirus"
)

// scanFlags are those of commands that look for viruses.
type scanFlags struct {
	Clamd         string `placeholder:"ADDRESS" help:"Scan what the records hold for viruses, by the clamd at this address: the path of its socket, or HOST[:PORT]."`
	ClamdOptional bool   `name:"clamd-optional" help:"Go on when clamd is away; the result says what was not scanned."`
}

// scanner names the clamd, when somebody asked for it; nil otherwise.
func (f scanFlags) scanner() (*antivirus.Scanner, error) {
	switch {
	case f.Clamd != "":
		return antivirus.New(f.Clamd, antivirus.Options{Optional: f.ClamdOptional})
	case f.ClamdOptional:
		return nil, errors.New("--clamd-optional says what to do without clamd; --clamd ADDRESS says which one")
	}
	return nil, nil
}

// cleanFlag names what cleans.
type cleanFlag struct {
	Cleaner string `placeholder:"COMMAND" help:"Program that cleans what is infected, with its arguments: 'clean {input} {output}'. What it makes is packed beside what was received."`
}

// cleaner finds the program, when there is one; nil otherwise.
func (c *packCmd) cleaner() (*antivirus.Cleaner, error) {
	switch {
	case c.Cleaner == "":
		return nil, nil
	case c.Clamd == "":
		return nil, errors.New("--cleaner says what to do with what is infected; --clamd ADDRESS says who finds that")
	}
	return antivirus.NewCleaner(c.Cleaner)
}
