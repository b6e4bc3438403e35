import Glibc

extension FrameProgram {
  /// Finds out before a job whether the program is there, as far as its command line tells without being run: where
  /// that begins with a plain name, perhaps behind `exec`. Anything else is left to the shell.
  ///
  /// Throws: what the program's end would be, `exit(127)` or `exit(126)`.
  public func check() throws(FrameProgramError) {
    let words = command.split(whereSeparator: \.isWhitespace)
    guard let word = words.first == "exec" ? words.dropFirst().first : words.first else { return }
    guard !word.hasPrefix("-"), word.utf8.allSatisfy(Self.isPlain) else { return }
    guard let status = word.contains("/") ? Self.statusOfFile(String(word)) : statusOfName(word) else { return }
    throw FrameProgramError(.exit(status), command: command, role: role)
  }

  /// Whether a shell takes the character as it stands.
  private static func isPlain(_ character: UInt8) -> Bool {
    switch character {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "_./+-,:@%".utf8.contains(character)
    }
  }

  private static func statusOfFile(_ path: String) -> Int32? {
    if access(path, F_OK) != 0 { return errno == EACCES ? 126 : 127 }
    var status = stat()
    let isFolder = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    return isFolder || access(path, X_OK) != 0 ? 126 : nil
  }

  /// The shell knows its own words and the PATH.
  private func statusOfName(_ name: Substring) -> Int32? {
    let (shell, _) = ChildProcess.start(
      "command -v \(name) >/dev/null 2>&1", environment: environment, standardOutput: standardOutput)
    // A machine that starts no shell says so when the job does.
    guard let ending = shell?.wait(until: { false }) else { return nil }
    // Other statuses are a shell's own troubles: a system that is short of descriptors, say.
    return ending == .exited(1) || ending == .exited(127) ? 127 : nil
  }
}
