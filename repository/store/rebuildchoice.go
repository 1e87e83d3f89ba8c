package store

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"quire/model"
	"quire/repository/register"
)

// ChoiceError reports that a rebuild cannot decide which version of some objects is the right one: no copy has
// the one of the register. Only a person can choose, by [InitOptions].Trust.
type ChoiceError struct {
	Objects []ObjectChoice // the first hundred
	Total   int
}

// ObjectChoice is an object between whose versions a person must choose.
type ObjectChoice struct {
	Object   string   `json:"object"`   // the OCFL id
	Register string   `json:"register"` // newest version in the register; "" if it has none
	Copies   []string `json:"copies"`   // the copies, each with its version

	noRegister bool // no register survives
}

// Error lists the choices, and the call that chooses.
func (e *ChoiceError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "the copies and the register disagree on %d objects, and nothing was changed:", e.Total)
	for _, o := range e.Objects {
		state := "the register has " + o.Register
		switch {
		case o.noRegister:
			state = "no register survives"
		case o.Register == "":
			state = "the register does not have it"
		}
		fmt.Fprintf(&b, "\n  %s: %s; %s", o.Object, state, strings.Join(o.Copies, ", "))
	}
	b.WriteString("\nchoose a copy after you looked at its objects: quire init rebuild REPO --trust COPY")
	return b.String()
}

// add adds an object.
func (e *ChoiceError) add(o ObjectChoice) {
	if e.Total++; len(e.Objects) < maxProblems {
		e.Objects = append(e.Objects, o)
	}
}

// unchosen is one object of a ChoiceError.
type unchosen struct{ ObjectChoice }

func (u *unchosen) Error() string {
	return (&ChoiceError{Objects: []ObjectChoice{u.ObjectChoice}, Total: 1}).Error()
}

// undisputed returns those of the different objects at a path that the register confirms: the newest version in it.
// If there is none, it takes the object of the trusted copy.
func (s *Store) undisputed(ctx context.Context, path string, found map[string]*object) (map[string]*object, error) {
	confirmed, choice, err := s.confirmedOf(ctx, s.saltsOf(path), found)
	if err != nil || len(confirmed) > 0 {
		return confirmed, err
	}
	if o := s.trustedOf(found); o != nil {
		return map[string]*object{o.sum: o}, s.enterTrusted(ctx, s.copyNamed(s.trust), o, path)
	}
	return nil, choice
}

// confirmedOf returns those of the different objects at a path that the register confirms, and the choice of a
// person if there is none. Without a register, copies confirm an object if they all agree. The register is asked
// by the salts.
func (s *Store) confirmedOf(ctx context.Context, salts []register.Salt, found map[string]*object) (
	map[string]*object, *unchosen, error) {
	choice := &unchosen{ObjectChoice{noRegister: !s.registered()}}
	confirmed := map[string]*object{}
	for _, sum := range sortedKeys(found) {
		o := found[sum]
		choice.Object = o.inventory.ID
		for _, dir := range append([]string{o.dir}, o.others...) {
			choice.Copies = append(choice.Copies, s.copyAt(dir)+" has "+o.inventory.Head)
		}
		if choice.noRegister {
			continue
		}
		h, known, err := s.historyBy(ctx, o.inventory.ID, salts)
		if err != nil {
			return nil, nil, err
		}
		digest, err := inventorySum(sum)
		if err != nil {
			return nil, nil, err
		}
		if known {
			choice.Register = versionName(int(h.Newest()))
		}
		if known && int(h.Newest()) == o.head() && !h.Gone() && h.HasVersion(h.Newest(), h.salt.Inventory(digest)) {
			confirmed[sum] = o
		}
	}
	if choice.noRegister && len(found) == 1 {
		return found, choice, nil
	}
	slices.Sort(choice.Copies)
	return confirmed, choice, nil
}

// trustedOf returns the object of the trusted copy.
func (s *Store) trustedOf(found map[string]*object) *object {
	for _, o := range found {
		for _, dir := range append([]string{o.dir}, o.others...) {
			if s.trust != "" && s.copyAt(dir) == s.trust {
				o.dir, o.others = dir, nil
				return o
			}
		}
	}
	return nil
}

// copyAt returns the name of the copy that a folder lies in.
func (s *Store) copyAt(dir string) string {
	for _, c := range s.copies {
		if inside(dir, c.path) {
			return c.name
		}
	}
	return ""
}

// saltToTrust returns the salt by which the register has an object; for one that it does not know, the salt of
// the trusted copy, or a new one.
func (s *Store) saltToTrust(ctx context.Context, c *copyFolder, object, path string) (register.Salt, error) {
	h, found, err := s.historyOf(ctx, object, path)
	if found || err != nil {
		return h.salt, err
	}
	if salt, ok := saltIn(c, path); ok {
		return salt, nil
	}
	return register.NewSalt(), nil
}

// enterTrusted enters the versions and events of an object that a person chose, with an event. A tombstone, whose
// record is this event, ends the leaves before. The object is in a folder: that of the trusted copy, or the one
// that got it from there.
func (s *Store) enterTrusted(ctx context.Context, c *copyFolder, o *object, path string) error {
	salt, err := s.saltToTrust(ctx, c, o.inventory.ID, path)
	if err != nil {
		return err
	}
	if own, ok := saltIn(c, path); !ok || own != salt {
		if err := s.addEventFile(c, path, saltFile, saltText(salt)); err != nil {
			return err
		}
	}
	e := s.newEvent(model.Recovery, packageID(o.inventory.ID), "", fmt.Sprintf("%s did not agree with the register; a "+
		"person chose %s of this copy in a rebuild", s.trust, o.inventory.Head))
	e.Away = s.away()
	text, err := e.marshal()
	if err != nil {
		return err
	}
	if err := s.addEventFile(c, path, e.File, text); err != nil {
		return err
	}
	head, err := s.Register()
	if err != nil {
		return err
	}
	l := leavesOf(salt, o.inventory.ID)
	l.add(register.Tombstone{Time: s.moment(), Object: l.object, Record: salt.Record(text)})
	for n := 1; n <= o.head(); n++ {
		_, sum, err := readInventory(filepath.Join(o.dir, versionName(n)))
		if err != nil {
			return err
		}
		l.version(s.moment(), n, sum)
	}
	l.events([]string{o.dir})
	if l.err != nil {
		return l.err
	}
	return s.enter(ctx, &noteLeaves{From: head.Size, Leaves: l.list})
}

// mendRegister sets aside a main register that is damaged, so that it is taken from the copies. With a trusted
// copy it also sets aside the registers of copies that contradict the main one.
func (s *Store) mendRegister(ctx context.Context) error {
	if !s.registered() {
		return nil
	}
	report, err := register.Verify(ctx, s.registerPath(), register.VerifyOptions{Keys: s.trustedKeys()})
	if err != nil {
		return err
	}
	damaged := slices.ContainsFunc(report.Findings, func(f register.Finding) bool { return damaging(f.Code) })
	if damaged {
		aside := filepath.Join(s.root, quarantineFolder, s.moment().Format(eventTime)+"-"+registerFolder)
		if err := s.setAside(s.registerPath(), aside); err != nil {
			return err
		}
		s.addRecovery(Recovery{Outcome: Mended, Detail: "the main register was damaged, and is taken from the " +
			"copies; the damaged one is in " + aside})
	}
	if s.trust == "" || damaged {
		return nil
	}
	return s.setRegistersAside(ctx)
}
