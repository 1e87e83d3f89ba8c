package rights

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"runtime"
	"strconv"
	"sync"
	"weak"

	"quire/preserve/statements"
)

// Sum is the SHA-256 of statements in their JSON form.
type Sum [sha256.Size]byte

// Own holds the statements of a package or collection, without its name. All with equal statements share one.
type Own struct {
	Set *statements.Set
	Sum Sum
}

// Shared keeps equal statements once, and the [Zones] from them: most packages of an institution state the same. It
// holds neither longer than its callers do. It is safe for concurrent use.
type Shared struct {
	unstated Verdict

	mu    sync.Mutex
	sets  map[Sum]weak.Pointer[Own]
	zones map[string]weak.Pointer[Zones]
}

// NewShared returns an empty Shared. unstated is the verdict without a statement.
func NewShared(unstated Verdict) *Shared {
	return &Shared{unstated: unstated, sets: map[Sum]weak.Pointer[Own]{}, zones: map[string]weak.Pointer[Zones]{}}
}

// Text returns statements in the form of which [Sum] is the digest.
func Text(all []statements.Statement) ([]byte, error) { return json.Marshal(all) }

// Own returns the shared form of statements.
func (s *Shared) Own(all []statements.Statement) (*Own, error) {
	text, err := Text(all)
	if err != nil {
		return nil, err
	}
	return s.Parsed(sha256.Sum256(text), func() ([]byte, error) { return text, nil })
}

// errOtherSum reports that a text of statements has another digest.
var errOtherSum = errors.New("the statements have another digest")

// Parsed returns the statements with a digest. It asks for their text only if they are not known yet.
func (s *Shared) Parsed(sum Sum, text func() ([]byte, error)) (*Own, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if own := s.sets[sum].Value(); own != nil {
		return own, nil
	}
	b, err := text()
	if err != nil {
		return nil, err
	}
	if sha256.Sum256(b) != sum {
		return nil, errOtherSum
	}
	own := &Own{Set: &statements.Set{}, Sum: sum}
	if err := json.Unmarshal(b, &own.Set.Statements); err != nil {
		return nil, err
	}
	s.sets[sum] = weak.Make(own)
	runtime.AddCleanup(own, func(sum Sum) { forget(s, s.sets, sum) }, sum)
	return own, nil
}

// Member is the membership in a collection, with the statements of this.
type Member struct {
	*Own
	Collection string
	Harvest    int // the package's harvest in it; 0 if unknown
}

// Weigh is [Weigh] for shared statements: equal arguments have one result.
func (s *Shared) Weigh(own *Own, of ...Member) *Zones {
	key := string(own.Sum[:])
	for i := range of {
		key += string(of[i].Sum[:]) + strconv.Itoa(of[i].Harvest) + " " + strconv.Quote(of[i].Collection)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if z := s.zones[key].Value(); z != nil {
		return z
	}
	all := []Said{{Set: own.Set}}
	for i := range of {
		all = append(all, Said{Set: of[i].Set, Collection: of[i].Collection, Harvest: of[i].Harvest})
	}
	z := Weigh(s.unstated, all...)
	s.zones[key] = weak.Make(z)
	runtime.AddCleanup(z, func(key string) { forget(s, s.zones, key) }, key)
	return z
}

// forget removes an entry without a holder.
func forget[K comparable, V any](s *Shared, all map[K]weak.Pointer[V], key K) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if all[key].Value() == nil {
		delete(all, key)
	}
}
