package store

import (
	"cmp"
	"fmt"
	"strings"
)

// Code names the kind of a finding. Codes are stable; scripts may rely on them.
type Code string

// The possible faults of a copy. Those of the register are in repository/register.
const (
	MissingCopy     Code = "COPY-MISSING"      // the folder of the copy is missing, or belongs to another repository
	MissingObject   Code = "OBJECT-MISSING"    // a package is in the catalogue but not in the copy
	OlderObject     Code = "OBJECT-OLDER"      // the copy has an earlier version of the package
	UnknownObject   Code = "OBJECT-UNKNOWN"    // the copy has an object that the catalogue does not know
	PurgedObject    Code = "OBJECT-PURGED"     // the copy has the object of a purged package
	MissingFile     Code = "FILE-MISSING"      // a file of the object is missing
	ExtraFile       Code = "FILE-EXTRA"        // a file or folder that no inventory lists
	WrongSize       Code = "FILE-SIZE"         // a file has lost or gained bytes
	WrongDigest     Code = "FILE-DIGEST"       // a file has the right size but different bytes
	UnreadableFile  Code = "FILE-UNREADABLE"   // the disk cannot read the file
	WrongInventory  Code = "INVENTORY-DAMAGED" // an inventory differs from the one that was written
	WrongSidecar    Code = "SIDECAR-DAMAGED"   // the sidecar does not contain the digest of its inventory
	WrongRoot       Code = "ROOT-DAMAGED"      // a file of the storage root itself is missing or changed
	NoInventoryLeft Code = "INVENTORY-LOST"    // no copy has the inventory; the content cannot be checked
	WrongCatalogue  Code = "CATALOGUE-DIFFERS" // the catalogue has other versions than the register
	LostObject      Code = "OBJECT-LOST"       // the register has objects that the catalogue does not have
	WrongSalt       Code = "SALT-WRONG"        // the salt of an object in a copy is not that of the register
	RemovedAudit    Code = "AUDIT-REMOVED"     // the register has a run whose record the copy lacks
	ForgedAudit     Code = "AUDIT-FORGED"      // the register has the run with other lines, or does not have it
)

// Finding is one fault in one copy.
type Finding struct {
	Code     Code   `json:"code"`
	Copy     string `json:"copy"`
	Package  string `json:"package"`  // id; "" if about the copy as a whole
	File     string `json:"file"`     // within the OCFL object, or within the storage root
	Expected string `json:"expected"` // digest or size, depending on the code
	Found    string `json:"found"`
	Detail   string `json:"detail"`
}

// String returns one line: code, copy, package, file, the expected and the found value.
func (f Finding) String() string { return fmt.Sprintf("%s %s: %s", f.Code, f.where(), f.what()) }

func (f Finding) where() string {
	var parts []string
	if f.Copy != "" {
		parts = append(parts, f.Copy)
	}
	if f.Package != "" {
		parts = append(parts, f.Package)
	}
	if f.File != "" {
		parts = append(parts, f.File)
	}
	return strings.Join(parts, " ")
}

func (f Finding) what() string {
	s := f.Detail
	if f.Expected != "" || f.Found != "" {
		s += fmt.Sprintf(": expected %s, found %s", orNothing(f.Expected), orNothing(f.Found))
	}
	return s
}

// compareFindings sorts findings by package, copy and file.
func compareFindings(a, b Finding) int {
	return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Copy, b.Copy), cmp.Compare(a.File, b.File),
		cmp.Compare(a.Code, b.Code))
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}
