package wacz

import (
	"fmt"
)

// Checked is what a check found.
type Checked struct {
	Package *Package // nil when there is none, or none that can be read
	Digest  *Digest  // nil when there is none, or none that can be read
	Steps   []Step
}

// Verdict of a step.
type Verdict string

// The verdicts.
const (
	Pass       Verdict = "pass"
	Fail       Verdict = "fail"
	NotChecked Verdict = "not checked"
)

// Step is one thing that was checked, or could not be.
type Step struct {
	Name     StepName
	Verdict  Verdict
	Evidence string // what the verdict was concluded from
}

// StepName says what a step is about.
type StepName string

// The steps, in their order. Those on the signature are missing when there is none.
const (
	// every file has the hash and the size that datapackage.json states
	StepResources StepName = "resources"
	// datapackage.json has the hash that datapackage-digest.json states
	StepDigest     StepName = "digest"
	StepSignedHash StepName = "signed hash" // that hash is what was signed
	// the signature is of that hash, by the key or the certificate that is named
	StepSignature      StepName = "signature"
	StepDomain         StepName = "domain"             // the certificate is that of the domain
	StepValidity       StepName = "validity"           // the certificate counted when it was used
	StepChain          StepName = "chain"              // each certificate is signed by the next
	StepTrust          StepName = "trust"              // the chain leads to a root that is trusted
	StepTimestamp      StepName = "timestamp"          // the time stamp is signed by the certificate that is named
	StepStamped        StepName = "stamped signature"  // it is of this signature
	StepStampTime      StepName = "timestamp time"     // it was made within ten minutes of the time that is stated
	StepStampValidity  StepName = "timestamp validity" // its certificate is for time stamps, and counted then
	StepStampChain     StepName = "timestamp chain"    // each certificate is signed by the next
	StepStampTrust     StepName = "timestamp trust"    // the chain leads to a root that is trusted
	StepCrossSigned    StepName = "cross-signed"       // the second certificate is of the same key
	StepCrossSignTrust StepName = "cross-signed trust" // its chain leads to a root that is trusted
)

// Verdict sums up: it is Fail when a step failed, and Pass when those that make a chain of hashes
// from the signature, or from the digest when there is none, to the files passed.
func (c *Checked) Verdict() Verdict {
	passed := map[StepName]bool{}
	for _, s := range c.Steps {
		if s.Verdict == Fail {
			return Fail
		}
		passed[s.Name] = s.Verdict == Pass
	}
	if !passed[StepResources] || c.Digest != nil && !passed[StepDigest] || c.Digest != nil && c.Digest.Signed != nil &&
		!passed[StepSignature] {
		return NotChecked
	}
	return Pass
}

// Step gives a step by its name, nil when it was not taken.
func (c *Checked) Step(name StepName) *Step {
	for i := range c.Steps {
		if c.Steps[i].Name == name {
			return &c.Steps[i]
		}
	}
	return nil
}

func (c *Checked) add(name StepName, v Verdict, format string, args ...any) {
	c.Steps = append(c.Steps, Step{name, v, fmt.Sprintf(format, args...)})
}

// verdict adds a step that passed or failed.
func (c *Checked) verdict(name StepName, ok bool, format string, args ...any) bool {
	v := Fail
	if ok {
		v = Pass
	}
	c.add(name, v, format, args...)
	return ok
}
