package main

import (
	"errors"

	"quire/preserve/antivirus"
)

// scanFlags are the flags of commands that scan for viruses.
type scanFlags struct {
	Clamd         string `placeholder:"ADDRESS" help:"Scan payloads for viruses with the clamd at this address: the path of its socket, or HOST[:PORT]."`
	ClamdOptional bool   `name:"clamd-optional" help:"Continue when clamd is unavailable; the result lists the payloads that were not scanned."`
}

// scanner returns the virus scanner, or nil without --clamd.
func (f scanFlags) scanner() (*antivirus.Scanner, error) {
	switch {
	case f.Clamd != "":
		return antivirus.New(f.Clamd, antivirus.Options{Optional: f.ClamdOptional})
	case f.ClamdOptional:
		return nil, errors.New("--clamd-optional needs --clamd ADDRESS")
	}
	return nil, nil
}

// cleanFlag names the cleaning program.
type cleanFlag struct {
	Cleaner string `placeholder:"COMMAND" help:"Program that cleans infected payloads, with its arguments: 'clean {input} {output}'. The package keeps the original and the cleaned payload."`
}

// cleaner finds the program, or returns nil if none is named.
func (c *packCmd) cleaner() (*antivirus.Cleaner, error) {
	switch {
	case c.Cleaner == "":
		return nil, nil
	case c.Clamd == "":
		return nil, errors.New("--cleaner needs --clamd ADDRESS to find the infected payloads")
	}
	return antivirus.NewCleaner(c.Cleaner)
}
