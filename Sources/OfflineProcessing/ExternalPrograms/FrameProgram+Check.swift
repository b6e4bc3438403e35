import Glibc

extension FrameProgram {
  /// Checks before a job whether the program exists, as far as its command line shows that without a run.
  ///
  /// The check is possible if the command line begins with a plain name, perhaps after `exec`; the shell handles
  /// anything else.
  ///
  /// - Throws: the error that the program's end would give, `exit(127)` or `exit(126)`.
  public func check() throws(FrameProgramError) {
    let words = command.split(whereSeparator: \.isWhitespace)
    guard let word = words.first == "exec" ? words.dropFirst().first : words.first else { return }
    guard !word.hasPrefix("-"), word.utf8.allSatisfy(Self.isPlain) else { return }
    guard let status = word.contains("/") ? Self.statusOfFile(String(word)) : statusOfName(word) else { return }
    throw FrameProgramError(.exit(status), command: command, role: role)
  }

  /// Returns whether a shell takes the character literally.
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

  /// Asks the shell for a name, since it knows its builtins and the PATH.
  private func statusOfName(_ name: Substring) -> Int32? {
    let (shell, _) = ChildProcess.start(
      "command -v \(name) >/dev/null 2>&1", environment: environment, standardOutput: standardOutput)
    // If the system cannot start a shell, the job reports that later.
    guard let ending = shell?.wait(until: { false }) else { return nil }
    // Other statuses are failures of the shell itself, for instance a lack of descriptors.
    return ending == .exited(1) || ending == .exited(127) ? 127 : nil
  }
}
