package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	remote "quire/repository/place"

	"quire/model"
	"quire/repository/ocfl"
	"quire/repository/register"
)

// fillFromFar brings objects into a folder that only far copies have, or have whole, and registers them. failed has
// the errors of those in folders. It first chooses the far copy of each object. If a person must choose, nothing
// is written.
func (s *Store) fillFromFar(ctx context.Context, far []*copyFolder, gone *purges, failed map[string]error) error {
	chosen, err := s.chooseFar(ctx, far, gone, failed)
	if err == nil {
		err = openChoices(failed, chosen)
	}
	if err != nil {
		return err
	}
	if err := s.clearPurgedFar(ctx, far, gone); err != nil {
		return err
	}
	for _, path := range sortedKeys(chosen) {
		err := s.restore(ctx, far, chosen[path], path, failed[path])
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			delete(failed, path)
		} else {
			failed[path] = errors.Join(failed[path], err)
		}
	}
	for _, path := range sortedKeys(failed) {
		s.addRecovery(Recovery{Package: path, Outcome: Pending,
			Detail: "cannot be catalogued: " + failed[path].Error()})
	}
	return nil
}

// restore brings an object that no folder has whole from far copies into the first folder, and catalogues it. The
// event of that is recorded as each other one: in the register, and by a note that survives a kill. damage is the
// reason why the object in the folders cannot be used. In the first folder it moves to the quarantine.
func (s *Store) restore(ctx context.Context, far []*copyFolder, pick farPick, path string, damage error) error {
	present := s.present()
	if len(present) == 0 {
		return errors.New("no copy is a folder: name a new or empty folder with --copy, too")
	}
	into := present[0]
	o, err := pick.from.farObject(ctx, path)
	if err != nil {
		return err
	}
	tx := newToken()
	defer func() { _ = s.disk.removeAll(into.staging(tx)) }() // the next open removes it otherwise
	r := &restoring{store: s, object: o, path: path, into: into, staged: into.stagedObject(tx),
		far: fromFirst(far, pick.from)}
	if r.wholeIn(into.object(path)) {
		return errors.New("far copies have the same object")
	}
	if err := r.judge(ctx, pick); err != nil {
		return err
	}
	if err := errors.Join(r.files(ctx), r.logs(ctx)); err != nil {
		return err
	}
	if err := errors.Join(s.syncTree(r.staged), s.disk.mkdirAll(filepath.Dir(into.object(path)))); err != nil {
		return err
	}
	r.detail = fmt.Sprintf("%s did not have the package; it was written there from %s, and matched", into.name,
		pick.from.name)
	if exists(into.object(path)) {
		r.detail = fmt.Sprintf("the object in %s was damaged and was replaced from %s; the earlier object is in %s/%s",
			into.name, pick.from.name, quarantineFolder, tx)
	}
	if err := s.setAside(into.object(path), filepath.Join(into.quarantine(tx), "object")); err != nil {
		return err
	}
	if err := s.disk.rename(r.staged, into.object(path)); err != nil {
		return err
	}
	if damage != nil {
		s.addRecovery(Recovery{Package: path, Outcome: Mended, Detail: r.detail + ": " + damage.Error()})
	}
	if err := r.enter(ctx, pick); err != nil {
		return err
	}
	return s.farEvents(ctx, pick.from, o.inventory.ID, path)
}

// fromFirst returns the far copies with one of them before the others.
func fromFirst(far []*copyFolder, first *copyFolder) []*copyFolder {
	return append([]*copyFolder{first}, slices.DeleteFunc(slices.Clone(far), func(c *copyFolder) bool {
		return c == first
	})...)
}

// restoring is an object on its way from far copies into a folder.
type restoring struct {
	store  *Store
	object *object // as the chosen copy has it
	path   string
	into   *copyFolder
	staged string
	far    []*copyFolder // the chosen copy first
	known  known         // by which events and earlier versions count
	listed map[*copyFolder]map[string]remote.Entry
	alone  bool   // a person chose the copy: no other one has its events
	detail string // of the event
}

// wholeIn reports whether a folder has the object with all its content. Another reason then keeps it from the
// catalogue, such as a METS that cannot be read, and the object stays.
func (r *restoring) wholeIn(dir string) bool {
	if o, err := openObject(dir); err != nil || o.sum != r.object.sum {
		return false
	}
	for n := 1; n <= r.object.head(); n++ {
		if _, err := openObject(filepath.Join(dir, versionName(n))); err != nil {
			return false
		}
	}
	for name, digest := range r.object.digests() {
		if got, err := sumFile(filepath.Join(dir, filepath.FromSlash(name))); err != nil || got != digest {
			return false
		}
	}
	return true
}

// files fetches the files that the inventory and the layout of an object name, each from the first far copy that
// has it whole. Other files in the place are left there; an audit reports them.
func (r *restoring) files(ctx context.Context) error {
	name, declaration := ocfl.ObjectDeclaration()
	sidecar, stated := ocfl.Sidecar(ocfl.SHA512, r.object.sum)
	texts := map[string][]byte{name: declaration, ocfl.InventoryFile: r.object.text, sidecar: stated}
	newest := r.object.inventory.Head + "/"
	texts[newest+ocfl.InventoryFile], texts[newest+sidecar] = r.object.text, stated
	digests := r.object.digests()
	for n := 1; n < r.object.head(); n++ {
		folder := versionName(n) + "/"
		text, sum, err := r.earlier(ctx, n)
		if err != nil {
			return err
		}
		_, texts[folder+sidecar] = ocfl.Sidecar(ocfl.SHA512, sum)
		texts[folder+ocfl.InventoryFile] = text
	}
	for _, name := range sortedKeys(texts) {
		if err := r.write(name, texts[name]); err != nil {
			return err
		}
	}
	if err := r.space(ctx, digests); err != nil {
		return err
	}
	for _, name := range sortedKeys(digests) {
		if err := r.fetch(ctx, name, digests[name]); err != nil {
			return err
		}
	}
	return nil
}

// earlier reads the inventory of an earlier version from the first far copy that has it whole. With a register it
// must be the one of the register.
func (r *restoring) earlier(ctx context.Context, n int) (text []byte, sum string, err error) {
	var failed error
	for _, c := range r.far {
		text, sum, err = c.farStated(ctx, r.path, versionName(n)+"/")
		if err == nil {
			digest, wrong := inventorySum(sum)
			k := r.known
			if k.judge == nil || wrong == nil && k.judge.HasVersion(uint32(n), k.salt.Inventory(digest)) {
				return text, sum, nil
			}
			err = fmt.Errorf("the register has another inventory of %s", versionName(n))
		}
		failed = errors.Join(failed, fmt.Errorf("copy %s: %w", c.name, err))
	}
	return nil, "", failed
}

// write stages a small file.
func (r *restoring) write(name string, text []byte) error {
	target := filepath.Join(r.staged, filepath.FromSlash(name))
	return errors.Join(r.store.disk.mkdirAll(filepath.Dir(target)), r.store.disk.writeFile(target, text, storedFile))
}

// fetch stages a content file.
func (r *restoring) fetch(ctx context.Context, name, digest string) error {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return fmt.Errorf("%q is not the name of a file in an object", name)
	}
	target := filepath.Join(r.staged, filepath.FromSlash(name))
	if err := r.store.disk.mkdirAll(filepath.Dir(target)); err != nil {
		return err
	}
	var failed error
	for _, c := range r.far {
		size, err := r.sizeIn(ctx, c, name)
		if err == nil {
			err = c.fetch(ctx, r.store.disk, r.path, name, target, digest, size)
		}
		if err == nil || ctx.Err() != nil {
			return err
		}
		failed = errors.Join(failed, fmt.Errorf("%s in copy %s: %w", name, c.name, err))
	}
	return failed
}

// space checks that the folder has room for the files that the chosen copy lists.
func (r *restoring) space(ctx context.Context, digests map[string]string) error {
	var sum int64
	for name := range digests {
		size, err := r.sizeIn(ctx, r.far[0], name)
		if err == nil { // another copy may have the others
			sum += size
		}
	}
	return errors.Join(ctx.Err(), checkSpace([]*copyFolder{r.into}, sum+int64(len(digests))*4096))
}

// sizeIn returns the size of a file of the object that a far copy lists, in bytes. It reads each list once.
func (r *restoring) sizeIn(ctx context.Context, c *copyFolder, name string) (int64, error) {
	if r.listed[c] == nil {
		files, err := c.farFiles(ctx, r.path)
		if err != nil {
			return 0, err
		}
		if r.listed == nil {
			r.listed = map[*copyFolder]map[string]remote.Entry{}
		}
		r.listed[c] = files
	}
	e, there := r.listed[c][name]
	if !there {
		return 0, fs.ErrNotExist
	}
	return e.Size, nil
}

// logs stages the events that far copies and folders have, and the salt. With a register it takes only events that the
// register has, or all those of an object that a person chose.
func (r *restoring) logs(ctx context.Context) error {
	texts := map[string][]byte{}
	if !r.alone {
		texts = r.known.events(objectsIn(r.store.present(), r.path))
	}
	for _, c := range r.far {
		if err := r.eventsIn(ctx, c, texts); err != nil {
			return fmt.Errorf("the events in copy %s: %w", c.name, err)
		}
	}
	if r.known.salt != (register.Salt{}) {
		texts[saltFile] = saltText(r.known.salt)
	}
	for _, name := range sortedKeys(texts) {
		if err := r.write(ocfl.LogsDir+"/"+name, texts[name]); err != nil {
			return err
		}
	}
	return nil
}

// judge sets the knowledge by which events and versions count. A trusted copy is the only source.
func (r *restoring) judge(ctx context.Context, pick farPick) error {
	s := r.store
	far := r.far
	r.known.salt, _ = pick.from.farSalt(ctx, r.path)
	if r.alone = pick.trusted; r.alone {
		r.far = r.far[:1]
	}
	if !s.registered() {
		return nil
	}
	salts, err := s.saltsWith(ctx, far, r.path)
	if err != nil {
		return err
	}
	h, found, err := s.historyBy(ctx, r.object.inventory.ID, salts)
	switch {
	case err != nil:
		return err
	case found && pick.trusted:
		r.known.salt = h.salt
	case found:
		r.known = known{h.salt, h.History}
	case !pick.trusted:
		return errors.New("the salt of the object is lost")
	}
	return nil
}

// eventsIn adds the events of the object in a far copy that count.
func (r *restoring) eventsIn(ctx context.Context, c *copyFolder, texts map[string][]byte) error {
	for e, err := range c.far.List(ctx, farName(r.path, ocfl.LogsDir+"/")) {
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(e.Name, farName(r.path, ocfl.LogsDir+"/"))
		if texts[name] != nil || filepath.Ext(name) != ".xml" || strings.HasPrefix(name, ".") ||
			strings.ContainsAny(name, `/\`) {
			continue
		}
		text, err := readFarFile(ctx, c.far, e.Name, maxEventSize)
		if err != nil {
			continue // as an unreadable event in a folder
		}
		if r.known.counts(text) {
			texts[name] = text
		}
	}
	return ctx.Err()
}

// enter catalogues the object, and records where it came from. If a person chose it, the register gets it first.
func (r *restoring) enter(ctx context.Context, pick farPick) error {
	s, into := r.store, r.into
	if pick.trusted && s.registered() {
		if err := s.enterTrusted(ctx, into, &object{dir: into.object(r.path), inventory: r.object.inventory,
			sum: r.object.sum}, r.path); err != nil {
			return err
		}
	} else if pick.trusted {
		r.detail += "; far copies differed, no register survived, and a person chose " + r.object.inventory.Head +
			" of this one"
	}
	if err := s.recordObject(ctx, r.path, nil); err != nil {
		return err
	}
	card, err := s.catalogue.AtPath(ctx, r.path)
	if err != nil {
		return err
	}
	e := s.newEvent(model.Recovery, card.ID, into.name, r.detail)
	e.Status = statusGood
	if err := s.follow(ctx, r.path, &e); err != nil {
		return err
	}
	line := e.Event
	line.Copy = into.name
	return s.recordEvents(ctx, []objectEvent{{card.Object, r.path, e}}, func() error {
		return s.catalogue.SetStatus(ctx, card.ID, into.name, statusGood, time.Now().UTC(), line)
	})
}
