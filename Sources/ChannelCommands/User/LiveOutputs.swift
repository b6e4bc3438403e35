import AudioFiles
import CommandLineKit
import Engine
import Glibc
import Platform
import SoundOptions

/// Files that a user of a channel writes.
struct LiveOutputs {
  var mixedPath: String?
  var playbackPath: String?
  var eachFolder: String?
  /// File in place of a loudspeaker.
  var playoutPath: String?
  var overwrites: Bool

  /// Paths for the recorder.
  var recordingPaths: [RecordingPosition: String] {
    var paths: [RecordingPosition: String] = [:]
    paths[.mixed] = mixedPath
    paths[.playback] = playbackPath
    paths[.eachUser] = eachFolder.map { ($0.hasSuffix("/") ? $0 : $0 + "/") + "user.wav" }
    return paths
  }

  /// Checks that all files can be written, and makes the folder.
  ///
  /// - Parameter inputs: Files that the command reads, by their options.
  /// - Throws: exit code 64 for a file that another option has, or an unknown type; 73 for a file that exists or cannot
  ///   be made.
  func check(beside inputs: [(option: String, path: String)]) throws {
    var owners: [FileIdentity: String] = [:]
    for (option, path) in inputs { owners[FileIdentity(path: path)] = option }
    for (option, path) in [
      ("--record-mixed", mixedPath), ("--record-playback", playbackPath), ("--playout-device", playoutPath),
    ] {
      guard let path else { continue }
      if let other = owners.updateValue(option, forKey: FileIdentity(path: path)) {
        throw CommandFailure.usage("\(other) and \(option) are the same file '\(path)'; give each its own name")
      }
      try checkFile(path)
    }
    if let eachFolder { try checkFolder(eachFolder) }
  }

  private func checkFile(_ path: String) throws(AudioFileError) {
    _ = try AudioContainer.forOutput(path: path)
    var status = stat()
    if stat(path, &status) == 0 {
      let kind = status.st_mode & S_IFMT
      if kind == S_IFDIR { throw AudioFileError(.isDirectory(isOutput: true), path: path) }
      if kind == S_IFREG, !overwrites { throw AudioFileError(.exists, path: path) }
      guard access(path, W_OK) == 0 else { throw AudioFileError(.create(errno), path: path) }
      return
    }
    if isSymbolicLink(path) { throw AudioFileError(.danglingLink, path: path) }
    let folder = folderName(of: path)
    guard stat(folder, &status) == 0 else { throw AudioFileError(.create(errno), path: path) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw AudioFileError(.create(ENOTDIR), path: path) }
    guard access(folder, W_OK | X_OK) == 0 else { throw AudioFileError(.create(errno), path: path) }
  }

  private func checkFolder(_ path: String) throws(CommandFailure) {
    guard mkdir(path, 0o777) != 0 else { return }
    let code = errno
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw CommandFailure(
        .cannotCreate, "\(path): the folder cannot be made (\(systemErrorText(code))); check the path")
    }
    guard access(path, W_OK | X_OK) == 0 else {
      throw CommandFailure(
        .cannotCreate, "\(path): you have no permission to write into this folder; choose another one")
    }
    guard !overwrites, let name = Self.recording(in: path) else { return }
    throw CommandFailure(
      .cannotCreate,
      "\(path): \(name) of an earlier run is there already; choose another folder, or allow it with --overwrite")
  }

  /// Returns the name of a user's file in a folder; nil if there is none.
  private static func recording(in folder: String) -> String? {
    folderNames(folder)?.first { $0.hasPrefix("user.") && $0.hasSuffix(".wav") }
  }
}
