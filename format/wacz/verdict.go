package wacz

import (
	"fmt"
)

// Checked is the result of a check.
type Checked struct {
	Package *Package // nil if missing or unreadable
	Digest  *Digest  // nil if missing or unreadable
	Steps   []Step
}

// Verdict is the result of a step.
type Verdict string

// The verdicts.
const (
	Pass       Verdict = "pass"
	Fail       Verdict = "fail"
	NotChecked Verdict = "not checked"
)

// Step is one thing that was checked, or could not be checked.
type Step struct {
	Name     StepName
	Verdict  Verdict
	Evidence string // the reason for the verdict
}

// StepName is the subject of a step.
type StepName string

// The steps, in order. Without a signature, the steps on it are missing.
const (
	// every file has the hash and the size in datapackage.json
	StepResources StepName = "resources"
	// datapackage.json has the hash in datapackage-digest.json
	StepDigest     StepName = "digest"
	StepSignedHash StepName = "signed hash" // that hash was signed
	// the signature is of that hash, by the named key or certificate
	StepSignature      StepName = "signature"
	StepDomain         StepName = "domain"             // the certificate is for the domain
	StepValidity       StepName = "validity"           // the certificate was valid when used
	StepChain          StepName = "chain"              // each certificate is signed by the next
	StepTrust          StepName = "trust"              // the chain leads to a trusted root
	StepTimestamp      StepName = "timestamp"          // the named certificate signed the time stamp
	StepStamped        StepName = "stamped signature"  // it is of this signature
	StepStampTime      StepName = "timestamp time"     // it is within ten minutes of the stated time
	StepStampValidity  StepName = "timestamp validity" // its certificate is for time stamps, and was valid
	StepStampChain     StepName = "timestamp chain"    // each certificate is signed by the next
	StepStampTrust     StepName = "timestamp trust"    // the chain leads to a trusted root
	StepCrossSigned    StepName = "cross-signed"       // the second certificate has the same key
	StepCrossSignTrust StepName = "cross-signed trust" // its chain leads to a trusted root
)

// Verdict returns the overall result. It is Fail if a step failed. It is Pass if all steps passed
// that form the chain of hashes from the signature, or without one from the digest, to the files.
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

// Step returns the step of this name, or nil if it was not taken.
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
