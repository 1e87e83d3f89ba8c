package register

import (
	"fmt"
	"strconv"
)

// Code names the kind of a finding. Codes are stable; scripts may rely on them.
type Code string

// The possible findings.
const (
	RegisterMissing   Code = "REGISTER-MISSING"       // the folder has no register
	RegisterBehind    Code = "REGISTER-BEHIND"        // fewer leaves than were signed: it was away, or rolled back
	RegisterForked    Code = "REGISTER-FORKED"        // two registers have different leaves at the same place
	RegisterSignature Code = "REGISTER-SIGNATURE"     // the checkpoint is not signed by the key of the register
	RegisterDamaged   Code = "REGISTER-DAMAGED"       // a file of the register is missing, unreadable or changed
	RegisterLeaf      Code = "REGISTER-LEAF"          // a signed leaf does not have the form of a leaf
	RegisterKey       Code = "REGISTER-KEY"           // no key is trusted, or copies name different keys
	RegisterKeyAlone  Code = "REGISTER-KEY-UNTRUSTED" // nothing outside one copy confirms the public key
	KeyUnlinked       Code = "KEY-UNLINKED"           // a key was replaced without the signature of the key before it
	VersionUnknown    Code = "VERSION-UNREGISTERED"   // the copy has a version that the register does not have
	VersionForged     Code = "VERSION-FORGED"         // the register has this version with another inventory
	VersionRolledBack Code = "VERSION-ROLLED-BACK"    // the register has a newer version than the copy
	EventRemoved      Code = "EVENT-REMOVED"          // the register has an event that the copy lacks
	EventForged       Code = "EVENT-FORGED"           // the copy has an event that the register does not have
	ObjectReturned    Code = "OBJECT-RETURNED"        // the object was removed for good, and is there again
	AnchorReceipt     Code = "ANCHOR-RECEIPT"         // what an anchor keeps is damaged, or its signature is wrong
	AnchorFailed      Code = "ANCHOR-OWED"            // the newest checkpoint is not yet at this anchor
)

// Finding is one fault of a register, or of an object compared with it.
type Finding struct {
	Code     Code   `json:"code"`
	Folder   string `json:"folder"`   // of the register or anchor; "" for an object
	Index    int64  `json:"index"`    // of a leaf; -1 if none is meant
	File     string `json:"file"`     // within Folder, or the event file of an object
	Expected string `json:"expected"` // by the register
	Found    string `json:"found"`
	Detail   string `json:"detail"`
}

// String returns one line: code, folder, file, the expected and the found value.
func (f Finding) String() string {
	s := string(f.Code)
	for _, part := range []string{f.Folder, f.File} {
		if part != "" {
			s += " " + part
		}
	}
	if f.Index >= 0 {
		s += fmt.Sprintf(" leaf %d", f.Index)
	}
	s += ": " + f.Detail
	if f.Expected != "" || f.Found != "" {
		s += fmt.Sprintf(": expected %s, found %s", orNothing(f.Expected), orNothing(f.Found))
	}
	return s
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

// FindingError is a finding that ends a call.
type FindingError struct{ Finding Finding }

// Error implements error.
func (e *FindingError) Error() string { return "register: " + e.Finding.String() }

func sizeOf(n int64) string { return strconv.FormatInt(n, 10) + " leaves" }
