package controller

import "github.com/git-sdd/git-sdd/internal/config"

// testGlobs are the paths that are tests, or what tests read, by the conventions
// of each ecosystem. They are what a negative control takes from the head.
var testGlobs = []string{
	// folders, wherever they stand
	"**/test/**", "**/tests/**", "**/Tests/**", "**/spec/**", "**/specs/**", "**/e2e/**", "**/testdata/**", "**/fixtures/**",
	"**/__tests__/**", "**/__mocks__/**", "**/__fixtures__/**", "**/__snapshots__/**", "**/snapshots/**", "**/cypress/**",
	// Go, C and C++, Dart, Elixir
	"**/*_test.go", "**/*_test.c", "**/*_test.cc", "**/*_test.cpp", "**/*_unittest.cc", "**/*_test.dart", "**/*_test.exs",
	// JavaScript and TypeScript
	"**/*.test.*", "**/*.spec.*", "**/*.cy.*",
	// Python
	"**/test_*.py", "**/*_test.py", "**/tests.py", "**/conftest.py",
	// Rust, snapshots
	"**/tests.rs", "**/*_test.rs", "**/*.snap",
	// JVM, .NET, Swift, PHP, Haskell
	"**/*Test.java", "**/*Tests.java", "**/*IT.java", "**/*Test.kt", "**/*Tests.kt", "**/*Spec.kt", "**/*Spec.scala", "**/*Test.scala", "**/*Spec.groovy",
	"**/*Test.cs", "**/*Tests.cs", "**/*.Tests/**", "**/*Tests.swift", "**/*Test.php", "**/*Spec.hs",
	// Ruby, Lua, Perl, shell
	"**/*_spec.rb", "**/*_test.rb", "**/*_spec.lua", "**/*.t", "**/*.bats", "**/test_*.sh", "**/*_test.sh",
}

// isTest reports whether a path is a test by convention, or by the globs that the
// user adds.
func isTest(path string, more []string) bool {
	return config.MatchAny(testGlobs, path) || config.MatchAny(more, path)
}
