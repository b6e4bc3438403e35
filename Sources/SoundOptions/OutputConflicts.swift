import AudioFiles
package import CommandLineKit
import Engine
import Glibc

/// Files that a command line reads and writes. It may not write a file that it reads, nor a file twice.
package struct OutputConflicts {
  /// Advice if two inputs would have the same result.
  private let advice: String
  private var read: [FileIdentity: (subject: String, path: String)] = [:]
  private var writers: [FileIdentity: String] = [:]

  package init(advice: String) { self.advice = advice }

  /// Notes a file that is read; `subject` is its name in sentences, such as `input`.
  package mutating func reads(_ path: String, as subject: String) { note(FileIdentity(path: path), path, subject) }

  /// Notes the file that a shell has opened as stdin, if there is one.
  package mutating func readsStandardInput() {
    if let identity = FileIdentity(descriptor: 0) { note(identity, "stdin", "input") }
  }

  /// Notes a result of the input `owner`, and the name under which it grows.
  ///
  /// - Parameters:
  ///   - path: path of the result.
  ///   - subject: name of the result in sentences.
  ///   - owner: name of the input.
  ///   - followsLinks: whether the result replaces the target of a symbolic link.
  /// - Throws: a usage failure if the result would destroy a file that was noted before.
  package mutating func writes(
    _ path: String, as subject: String, of owner: String, followsLinks: Bool = false
  ) throws(CommandFailure) {
    try claim(FileIdentity(path: path), path, as: subject, of: owner)
    var status = stat()
    let exists = stat(path, &status) == 0
    // Devices and pipes are written as they are.
    guard !exists || status.st_mode & S_IFMT == S_IFREG else { return }
    let part = ((followsLinks && exists ? realPath(path) : nil) ?? path) + ".part"
    let identity = FileIdentity(path: part)
    if let other = read[identity] {
      throw .usage(
        "the \(subject) '\(path)' grows as '\(part)', which is the \(other.subject); give it another name")
    }
    try claim(identity, part, as: subject, of: owner)
  }

  /// Notes sound that goes to stdout, which a shell may have opened as a file.
  package mutating func writesStandardOutput(of owner: String) throws(CommandFailure) {
    guard let identity = FileIdentity(descriptor: 1) else { return }
    try claim(identity, "stdout", as: "output", of: owner)
  }

  private mutating func note(_ identity: FileIdentity, _ path: String, _ subject: String) {
    if read[identity] == nil { read[identity] = (subject, path) }
  }

  private mutating func claim(
    _ identity: FileIdentity, _ path: String, as subject: String, of owner: String
  ) throws(CommandFailure) {
    if let other = read[identity] {
      let name = other.path == path ? "" : " '\(path)'"
      throw .usage("the \(subject)\(name) would replace the \(other.subject) '\(other.path)'; give it another name")
    }
    guard let other = writers.updateValue(owner, forKey: identity) else { return }
    guard other != owner else {
      throw .usage("two results of '\(owner)' would both be '\(path)'; give each its own name")
    }
    throw .usage("the results of '\(other)' and '\(owner)' would both be '\(path)'; \(advice)")
  }
}
