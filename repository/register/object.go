package register

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// History is what the register holds of one object. The caller finds the leaves by
// [Salt.Object], in an index of its own, and adds them in their order. A tombstone ends all leaves
// before it; versions after it mean that a person chose another state of the object.
type History struct {
	versions map[uint32]Version
	events   map[Digest]int64 // file → index
	gone     bool             // the last leaf is a tombstone
}

// Add adds a leaf. Leaves that name no object are ignored.
func (h *History) Add(index int64, leaf Leaf) {
	switch l := leaf.(type) {
	case Version:
		if h.versions == nil {
			h.versions = map[uint32]Version{}
		}
		h.versions[l.Number] = l
		h.gone = false
	case Event:
		if h.events == nil {
			h.events = map[Digest]int64{}
		}
		h.events[l.File] = index
	case Tombstone:
		*h = History{gone: true}
	}
}

// Found is the state of one object in one copy.
type Found struct {
	Versions map[uint32]Digest // number → Salt.Inventory of the version's inventory
	Events   map[Digest]string // Salt.Event of the file → its name
}

// CheckObject compares an object in a copy with the register. Findings are in a fixed order. Their
// Folder is empty: the caller knows the copy.
func CheckObject(h *History, found Found) []Finding {
	var all []Finding
	if h.gone {
		if len(found.Versions)+len(found.Events) == 0 {
			return nil
		}
		return append(all, Finding{Code: ObjectReturned, Index: -1,
			Detail: "the register has a tombstone for this object"})
	}
	for _, number := range slices.Sorted(maps.Keys(found.Versions)) {
		known, ok := h.versions[number]
		switch got := found.Versions[number]; {
		case !ok:
			all = append(all, Finding{Code: VersionUnknown, Index: -1, Found: fmt.Sprintf("v%d", number),
				Detail: "the register does not have this version"})
		case known.Inventory != got:
			all = append(all, Finding{Code: VersionForged, Index: -1, Expected: known.Inventory.String(),
				Found: got.String(), Detail: fmt.Sprintf("the inventory of v%d is another one", number)})
		}
	}
	for _, number := range slices.Sorted(maps.Keys(h.versions)) {
		if _, ok := found.Versions[number]; !ok {
			all = append(all, Finding{Code: VersionRolledBack, Index: -1, Expected: fmt.Sprintf("v%d", number),
				Detail: "the copy does not have this version"})
		}
	}
	return append(all, h.checkEvents(found)...)
}

func (h *History) checkEvents(found Found) []Finding {
	var all []Finding
	known := slices.SortedFunc(maps.Keys(h.events), func(a, b Digest) int {
		return cmp.Compare(h.events[a], h.events[b])
	})
	for _, file := range known {
		if _, ok := found.Events[file]; !ok {
			all = append(all, Finding{Code: EventRemoved, Index: h.events[file], Expected: file.String(),
				Detail: "no event file has this digest"})
		}
	}
	var forged []string
	for file, name := range found.Events {
		if _, ok := h.events[file]; !ok {
			forged = append(forged, name)
		}
	}
	slices.Sort(forged)
	for _, name := range forged {
		all = append(all, Finding{Code: EventForged, Index: -1, File: name,
			Detail: "the register does not have this event file, or has it with other bytes"})
	}
	return all
}

// Gone reports whether the object was removed for good.
func (h *History) Gone() bool { return h.gone }

// Newest returns the highest number of a version; 0 if there is none.
func (h *History) Newest() uint32 {
	var newest uint32
	for n := range h.versions {
		newest = max(newest, n)
	}
	return newest
}

// Whole reports whether all versions from 1 to the newest have a leaf.
func (h *History) Whole() bool { return len(h.versions) == int(h.Newest()) }

// HasVersion reports whether the newest leaf of a version has this inventory.
func (h *History) HasVersion(number uint32, inventory Digest) bool {
	v, ok := h.versions[number]
	return ok && v.Inventory == inventory
}

// HasEvent reports whether an event file has a leaf.
func (h *History) HasEvent(file Digest) bool {
	_, ok := h.events[file]
	return ok
}

// Events returns the number of event files.
func (h *History) Events() int { return len(h.events) }
