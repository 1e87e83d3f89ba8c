package policy

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"quire/preserve/policy/tools"
)

// outputName is the variable of a fact's expression.
const outputName = "output"

// isFloat is the type of facts with a fraction. No other variable has one.
const isFloat kind = "double"

// maxFactCost limits the cost of all facts of a tool together, in CEL units. They are computed once
// for each run of a program, which costs far more.
const maxFactCost = 2_000_000

// factEnvironments declares the output of tools: of any type, or one text.
var factEnvironments = map[bool]func() (*cel.Env, error){
	false: sync.OnceValues(func() (*cel.Env, error) { return factEnvironment(cel.DynType) }),
	true:  sync.OnceValues(func() (*cel.Env, error) { return factEnvironment(cel.StringType) }),
}

func factEnvironment(output *cel.Type) (*cel.Env, error) {
	return cel.NewCustomEnv(append(standard(),
		cel.Macros(cel.HasMacro, cel.ExistsMacro, cel.AllMacro), cel.Variable(outputName, output))...)
}

// factFunctions lists further functions for facts: the output has no types, so a fact converts it.
var factFunctions = []string{"int", "double", "string"}

// compile checks the expression of a fact, and finds its type.
func (f *FactRule) compile(t *Tool) []wrong {
	env, err := factEnvironments[tools.IsText(t.Program.Prints)]()
	if err != nil {
		return []wrong{{1, 1, err.Error()}}
	}
	checked, issues := env.Compile(f.Is)
	if issues.Err() != nil {
		return f.wrongs(issues)
	}
	if f.Type = factType(checked.OutputType()); f.Type == "" {
		return []wrong{{1, 1, fmt.Sprintf("is of type %s: compare it, or convert it with string(), int(), double() "+
			"or timestamp()", checked.OutputType())}}
	}
	tree := checked.NativeRep()
	if all := factLimits(tree); len(all) > 0 {
		return all
	}
	estimate, err := env.EstimateCost(checked, factSizes(tree))
	switch {
	case err != nil:
		return []wrong{{1, 1, err.Error()}}
	case estimate.Max > maxFactCost:
		return []wrong{{1, 1, "may cost too much: use shorter patterns, and fewer nested lists"}}
	}
	f.cost = estimate.Max
	if f.program, err = env.Program(checked, cel.EvalOptions(cel.OptOptimize)); err != nil {
		return []wrong{{1, 1, err.Error()}}
	}
	return nil
}

// factType returns the name of a type that a fact may have, or "".
func factType(t *cel.Type) string {
	for _, k := range []kind{isText, isNumber, isTruth, isTime, isFloat} {
		if t.IsExactType(typeOf[k]) {
			return string(k)
		}
	}
	return ""
}

// factLimits finds violations of the limits of expressions.
func factLimits(tree *ast.AST) (all []wrong) {
	used := false
	found := expressionLimits(tree, factFunctions, func(e ast.Expr) {
		used = used || e.Kind() == ast.IdentKind && e.AsIdent() == outputName
	})
	if !used && len(found) == 0 {
		return []wrong{{1, 1, "does not use output, so its value is always the same"}}
	}
	return found
}

func (f *FactRule) wrongs(issues *cel.Issues) (all []wrong) {
	for _, e := range issues.Errors() {
		message, _, _ := strings.Cut(e.Message, " (in container '')")
		if len(message) > maxShort {
			message = strings.ToValidUTF8(message[:maxShort], "") + "…"
		}
		if rest, undeclared := strings.CutPrefix(message, "undeclared reference to '"); undeclared {
			message = fmt.Sprintf("%q is not a name for facts; their only variable is output",
				strings.TrimSuffix(rest, "'"))
		}
		all = append(all, wrong{max(e.Location.Line(), 1), max(e.Location.Column()+1, 1), message})
	}
	return all
}

// outputSizes gives CEL the maximum sizes of the values of an output. Values without a type are
// texts, except where an expression visits their items.
type outputSizes map[int64]bool // the expressions over which exists or all go

func factSizes(tree *ast.AST) outputSizes {
	ranges := outputSizes{}
	ast.PreOrderVisit(tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() == ast.ComprehensionKind {
			ranges[e.AsComprehension().IterRange().ID()] = true
		}
	}))
	return ranges
}

// EstimateSize implements checker.CostEstimator.
func (s outputSizes) EstimateSize(node checker.AstNode) *checker.SizeEstimate {
	switch {
	case s[node.Expr().ID()]:
		return &checker.SizeEstimate{Max: tools.MaxList}
	case slices.Equal(node.Path(), []string{outputName}) && node.Type().Kind() == types.StringKind:
		return &checker.SizeEstimate{Max: tools.MaxPrinted}
	case node.Type().Kind() == types.DynKind, node.Type().Kind() == types.StringKind:
		return &checker.SizeEstimate{Max: tools.MaxText}
	case node.Type().Kind() == types.ListKind:
		return &checker.SizeEstimate{Max: tools.MaxList}
	}
	return nil
}

// EstimateCallCost implements checker.CostEstimator.
func (outputSizes) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}

var _ checker.CostEstimator = outputSizes{}

// fact is the value of a fact for one bytestream. Records that wait on disk keep it.
type fact struct {
	Why    string // it has no value
	Text   string
	Number int64
	Float  float64
	Truth  bool
	Time   time.Time
}

// facts computes the facts of an output.
func (t *Tool) facts(v tools.Value) []fact {
	all := make([]fact, len(t.Facts))
	for i := range t.Facts {
		all[i] = t.Facts[i].of(v)
	}
	return all
}

// of evaluates the expression over an output.
func (f *FactRule) of(v tools.Value) fact {
	out, _, err := f.program.Eval(map[string]any{outputName: celOf(v)})
	if err != nil {
		return fact{Why: clip(err.Error())}
	}
	switch value := out.Value().(type) {
	case string:
		if len(value) > maxText {
			return fact{Why: fmt.Sprintf("it is a text of more than %d bytes", maxText)}
		}
		return fact{Text: strings.Clone(value)}
	case int64:
		return fact{Number: value}
	case float64:
		return fact{Float: value}
	case bool:
		return fact{Truth: value}
	case time.Time:
		return fact{Time: value}
	}
	return fact{Why: fmt.Sprintf("it is of type %s", out.Type())}
}

// val returns the value for rules; unknown is its name.
func (f *fact) val(k kind, name string) ref.Val {
	switch {
	case f.Why != "":
		return types.NewErr("%s is not known: %s", name, f.Why)
	case k == isText:
		return types.String(f.Text)
	case k == isNumber:
		return types.Int(f.Number)
	case k == isFloat:
		return types.Double(f.Float)
	case k == isTruth:
		return types.Bool(f.Truth)
	}
	return types.Timestamp{Time: f.Time}
}

// celOf returns an output for expressions.
func celOf(v tools.Value) any {
	switch v := v.(type) {
	case tools.Unseen:
		return types.NewErr("%s: rules do not see it", string(v))
	case []tools.Value:
		all := make([]any, len(v))
		for i := range v {
			all[i] = celOf(v[i])
		}
		return all
	case map[string]tools.Value:
		all := make(map[string]any, len(v))
		for name, value := range v {
			all[name] = celOf(value)
		}
		return all
	}
	return v
}
