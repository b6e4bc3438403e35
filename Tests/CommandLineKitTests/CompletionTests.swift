import CommandTestSupport
import Foundation
import TestSupport
import Testing

@testable import CommandLineKit
@testable import Commands

private let commands =
  CommandTable.commands.map(\.declaration)

private func script(_ shell: CompletionShell) -> String {
  shell.script(program: CommandTable.program, commands: commands)
}

private func isInstalled(_ shell: String) -> Bool { path(of: shell) != nil }

private func path(of shell: String) -> String? {
  let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
  return folders.map { "\($0)/\(shell)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
}

/// Runs a shell on a script from stdin; its stdout, and whether it ended well.
private func run(_ shell: String, _ arguments: [String], input: String, in folder: String = "/") throws -> (
  String, Bool
) {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: try #require(path(of: shell)))
  process.arguments = arguments
  process.currentDirectoryURL = URL(fileURLWithPath: folder)
  let (source, sink) = (Pipe(), Pipe())
  process.standardInput = source
  process.standardOutput = sink
  try process.run()
  try source.fileHandleForWriting.write(contentsOf: Data(input.utf8))
  try source.fileHandleForWriting.close()
  let output = try sink.fileHandleForReading.readToEnd() ?? Data()
  process.waitForEnd()
  return (String(decoding: output, as: UTF8.self), process.terminationStatus == 0)
}

@Suite("Completion", .timeLimit(.minutes(10)))
struct CompletionTests {
  @Test("bash finds no fault in its script")
  func bashSyntax() throws { #expect(try run("bash", ["-n"], input: script(.bash)).1) }

  @Test("zsh finds no fault in its script", .enabled(if: isInstalled("zsh")))
  func zshSyntax() throws { #expect(try run("zsh", ["-n"], input: script(.zsh)).1) }

  @Test("fish finds no fault in its script", .enabled(if: isInstalled("fish")))
  func fishSyntax() throws { #expect(try run("fish", ["-n"], input: script(.fish)).1) }

  @Test("Every option of every command is in every script", .shows("completion"), arguments: CompletionShell.allCases)
  func options(shell: CompletionShell) {
    let text = script(shell)
    for option in commands.flatMap(\.options) {
      #expect(text.contains(shell == .fish ? "-l \(option.name) " : "--\(option.name)"))
    }
  }

  /// The words as readline breaks them: `=` and `:` are words of their own.
  @Test(
    "bash completes subcommands, options, words, keys and files", .shows("completion"),
    arguments: [
      (["d"], ["devices", "doctor"]),
      (
        [""],
        [
          "process", "graph", "analyze", "batch", "simulate", "record", "play", "devices", "rtp", "impair", "relay",
          "join", "record-channel", "call",
          "load", "token", "doctor",
          "bench",
          "completion",
          "manual",
        ]
      ),
      (["--v"], ["--version"]),
      (["process", "--over"], ["--overwrite"]),
      (["process", "--nothing"], []),
      (["process", "--plot"], ["--plot", "--plot-theme", "--plot-size"]),
      (["analyze", "--plot", "a"], ["a.wav"]),
      (["analyze", "--plot-theme", ""], ["auto", "light", "dark"]),
      (["process", "--g"], ["--gain"]),
      (["process", "--format", "f"], ["flac"]),
      (["process", "--format", "=", "f"], ["flac"]),
      (["process", "--format", "="], ["wav", "w64", "aiff", "au", "caf", "flac", "ogg", "opus", "mp3"]),
      (["process", "--format=f"], ["--format=flac"]),
      (["graph", "--format", ""], ["text", "dot", "mermaid", "json"]),
      (["process", "in.wav", "--log-level", "d"], ["debug"]),
      (["process", "--observe", "record,m"], ["record,mixed"]),
      (
        ["process", "--observe", "=", "record,"],
        ["mixed", "playback", "beforeMixing", "earMonitoring"].map { "record,\($0)" }
      ),
      (["process", "--codec", ""], ["opus"]),
      (["process", "--codec", "opus", ":"], ["bitrate=", "complexity=", "frame=", "fec"]),
      (["process", "--codec", "=", "opus", ":", "fec", ":", "fr"], ["frame="]),
      (["process", "--codec", "opus", ":", "frame", "="], ["10", "20"]),
      (["process", "--codec", "opus", ":", "frame", "=", "2"], ["20"]),
      (["process", "--user", "a.wav", ":", "g"], ["gain="]),
      (["process", "--user", "a."], ["a.wav"]),
      (["process", "--effect", "7", "=", "a"], ["a.wav"]),
      (["process", "--effect", "=", "7", "=", "a"], ["a.wav"]),
      (["process", "--effect", "7", "=", "a.wav", ":", "g"], ["gain="]),
      (["process", "--effect", "a"], []),
      (["simulate", "--user", "1", "=", "b"], ["b.wav"]),
      (["process", "-o", "a"], ["a.wav"]),
      (["process", "--output", "=", "b"], ["b.wav"]),
      (["process", "a"], ["a.wav"]),
      (["process", "--", "a"], ["a.wav"]),
      (["process", "--", "--over"], []),
      (["process", "--out-dir", ""], ["out"]),
      (["process", "--gain", ""], []),
      (["completion", "z"], ["zsh"]),
      (["doctor", "x"], []),
      (["rtp", ""], ["send", "receive"]),
      (["rtp", "r"], ["receive"]),
      (["rtp", "a"], []),
      (["rtp", "send", "a"], ["a.wav"]),
      (["rtp", "send", "--url", "rtp", ":", "//h", ":", "9", "a"], ["a.wav"]),
      (["rtp", "--sdp", "a.wav", "s"], ["send"]),
      (["rtp", "--sdp", "send", "r"], ["receive"]),
      (["rtp", "--fixed", "--sdp=b.wav", "send", "a"], ["a.wav"]),
      (["rtp", "--", "send", "a"], ["a.wav"]),
      (["rtp", "receive", "a"], []),
      (["rtp", "receive", "--over"], ["--overwrite"]),
      (["rtp", "receive", "-o", "a"], ["a.wav"]),
    ])
  func bash(words: [String], expected: [String]) throws {
    let folder = try TemporaryFolder()
    for name in ["a.wav", "b.wav"] { try folder.write(name) }
    mkdir(folder.path + "/out", 0o700)
    defer { rmdir(folder.path + "/out") }
    let list = (["audiopipe"] + words).map(shellQuoted).joined(separator: " ")
    let call = """
      COMP_WORDS=(\(list)); COMP_CWORD=\(words.count)
      _audiopipe
      ((${#COMPREPLY[@]})) && printf '%s\\n' "${COMPREPLY[@]}"
      exit 0
      """
    let (output, _) = try run("bash", ["--norc"], input: script(.bash) + call, in: folder.path)
    #expect(output.split(separator: "\n").map(String.init) == expected)
  }

  @Test(
    "fish completes subcommands, options, words, keys and files", .shows("completion"),
    .enabled(if: isInstalled("fish")),
    arguments: [
      ("audiopipe doc", ["doctor"]), ("audiopipe process --overw", ["--overwrite"]),
      ("audiopipe process --format f", ["flac"]),
      ("audiopipe process --codec opus:frame=1", ["opus:frame=10"]),
      ("audiopipe process --codec ", ["opus"]),
      ("audiopipe process --codec=opus:fec:b", ["--codec=opus:fec:bitrate="]),
      ("audiopipe process --mix ", ["a.wav"]),
      ("audiopipe process --mix a.wav:", ["a.wav:cycle=", "a.wav:volume="]),
      ("audiopipe process --mix=a.wav:cycle=2:v", ["--mix=a.wav:cycle=2:volume="]),
      ("audiopipe process --effect a", []),
      ("audiopipe process --effect 7=", ["7=a.wav"]),
      ("audiopipe process --effect 7=a.wav:g", ["7=a.wav:gain="]),
      ("audiopipe simulate --user 1=a", ["1=a.wav"]),
      ("audiopipe simulate --jitter 30ms:", ["30ms:gamma="]),
      ("audiopipe simulate --jitter ", []),
      (
        "audiopipe process --observe record,",
        ["beforeMixing", "earMonitoring", "mixed", "playback"].map { "record,\($0)" }
      ),
      ("audiopipe process --observe record,mixed,ear", ["record,mixed,earMonitoring"]),
      ("audiopipe process --nothing", []),
      ("audiopipe analyze --plot-t", ["--plot-theme"]),
      ("audiopipe rtp ", ["receive", "send"]),
      ("audiopipe rtp --sdp b.wav s", ["send"]),
      ("audiopipe rtp send a", ["a.wav"]),
      ("audiopipe rtp receive a", []),
    ])
  func fish(line: String, expected: [String]) throws {
    let folder = try TemporaryFolder()
    try folder.write("a.wav")
    let (output, _) = try run(
      "fish", ["--no-config"], input: script(.fish) + "complete -C \(shellQuoted(line))\n", in: folder.path)
    #expect(output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) } == expected)
  }

  /// Types into a zsh on a terminal of its own, which tells what a tab has made of the line.
  @Test(
    "zsh completes subcommands, options, words and files", .shows("completion"), .enabled(if: isInstalled("zsh")),
    arguments: [
      ("doc", "doctor "), ("process --overw", "process --overwrite "), ("completion z", "completion zsh "),
      ("process a", "process a.wav "), ("rtp s", "rtp send "), ("rtp --sdp b.wav r", "rtp --sdp b.wav receive "),
      ("rtp send a", "rtp send a.wav "), ("rtp --sdp b.wav send a", "rtp --sdp b.wav send a.wav "),
      ("process --effect 7=a", "process --effect 7=a.wav"),
      ("rtp receive a", "rtp receive a"), ("rtp receive --sdp a", "rtp receive --sdp a.wav "),
    ])
  func zsh(words: String, expected: String) throws {
    let folder = try TemporaryFolder()
    for name in ["a.wav", "b.wav"] { try folder.write(name) }
    let setup = folder.path + "/zsh"
    try FileManager.default.createDirectory(atPath: setup, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: setup) }
    let startup = """
      PROMPT=READY
      autoload -Uz compinit; compinit -u -D
      source \(setup)/script
      show() { print -r -- "$BUFFER" > \(setup)/line; exit }
      zle -N show; bindkey '~' show
      """
    try (startup + "\n").write(toFile: setup + "/.zshrc", atomically: false, encoding: .utf8)
    try script(.zsh).write(toFile: setup + "/script", atomically: false, encoding: .utf8)
    let call = """
      zmodload zsh/zpty
      zpty inner env ZDOTDIR=\(setup) TERM=dumb zsh -o NO_GLOBAL_RCS -i
      zpty -r inner text '*READY*'
      zpty -wn inner $'audiopipe \(words)\\t~'
      while zpty -r inner text; do :; done
      cat \(setup)/line
      """
    let (output, _) = try run("zsh", ["-f"], input: call + "\n", in: folder.path)
    #expect(output == "audiopipe \(expected)\n")
  }

  @Test("A text is quoted so that a shell reads it back")
  func quoting() throws {
    let text = "it's \"$HOME\" `x` \\ '"
    #expect(try run("bash", ["--norc"], input: "printf %s \(shellQuoted(text))").0 == text)
  }
}
