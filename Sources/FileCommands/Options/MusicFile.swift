import CommandLineKit

/// Music that the first speaker sends, too: `--mix FILE[:volume=0...100][:cycle=N]`.
struct MusicFile: Hashable, Sendable {
  static let syntax = KeyValueSyntax(
    head: .file,
    keys: [
      KeyValueSyntax.Key(name: "volume", value: .integer(0...100)),
      KeyValueSyntax.Key(name: "cycle", value: .integer(-1...1_000_000)),
    ])

  let path: String
  /// Volume: 100 is the file as it is.
  let volume: Int
  /// Number of times that the music is played; -1 for endless.
  let cycle: Int

  /// Reads the value of `--mix`.
  ///
  /// - Throws: a usage failure for a cycle of 0.
  init(_ value: KeyedValue) throws(CommandFailure) {
    path = value.head
    volume = value.integer("volume") ?? 100
    cycle = value.integer("cycle") ?? 1
    guard cycle != 0 else {
      throw .usage("key 'cycle' of option '--mix' cannot be 0; use -1 (endless), 1 or more, or leave --mix out")
    }
  }
}
