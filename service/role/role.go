package role

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quire/holdings"
)

// Role is what a person or a program may do.
type Role string

// The roles.
const (
	Reader   Role = "reader"   // sees packages within the rights of the public
	Curator  Role = "curator"  // describes holdings, withdraws content, asks for purges
	Operator Role = "operator" // runs jobs, and watches copies and audits
	Approver Role = "approver" // decides on purges, as the second person
	Auditor  Role = "auditor"  // sees all that is recorded, and changes nothing
)

// All returns all roles.
func All() []Role { return []Role{Reader, Curator, Operator, Approver, Auditor} }

// UnmarshalText implements encoding.TextUnmarshaler.
func (r *Role) UnmarshalText(text []byte) error {
	if !slices.Contains(All(), Role(text)) {
		var names []string
		for _, known := range All() {
			names = append(names, string(known))
		}
		return fmt.Errorf("%.40q is no role: choose from %s", text, strings.Join(names, ", "))
	}
	*r = Role(text)
	return nil
}

// Person is a person or a program that the service knows.
type Person struct {
	Name  string // recorded with each decision
	Roles []Role
}

// maxName is the most that a name has, in bytes.
const maxName = 200

// Name returns the name of a person without outer spaces. A name with characters that have no shape is an error: two
// persons could have names that look alike.
func Name(text string) (string, error) {
	name := strings.TrimSpace(text)
	unseen := func(r rune) bool { return !unicode.IsGraphic(r) }
	if name == "" || len(name) > maxName || !utf8.ValidString(name) || strings.ContainsFunc(name, unseen) {
		return "", fmt.Errorf("%.40q is no name: it has 1 to %d bytes, and each character can be seen", text, maxName)
	}
	return name, nil
}

// Has reports whether a person has one of the roles.
func (p *Person) Has(some []Role) bool {
	return slices.ContainsFunc(p.Roles, func(r Role) bool { return slices.Contains(some, r) })
}

// May reports whether a person may do an operation. An unknown operation is forbidden to everyone.
func (p *Person) May(id string) bool {
	o, ok := Find(id)
	return ok && p.Has(o.Roles)
}

// Staff reports whether the person sees the metadata of packages as the curators do.
func (p *Person) Staff() bool { return p.Has([]Role{Curator, Operator, Approver, Auditor}) }

// Reading returns the person as a reader of holdings, whose rights decide on packages.
func (p *Person) Reading() holdings.Reader {
	who := holdings.Reader{Class: holdings.Public, Name: p.Name}
	if p.Staff() {
		who.Class = holdings.Staff
	}
	return who
}

type key struct{}

// In returns a context with the person that asks.
func (p *Person) In(ctx context.Context) context.Context { return context.WithValue(ctx, key{}, p) }

// Of returns the person that asks, nil for an unknown one.
func Of(ctx context.Context) *Person {
	p, _ := ctx.Value(key{}).(*Person)
	return p
}
