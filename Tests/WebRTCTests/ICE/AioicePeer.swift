import Foundation
import Glibc

@testable import WebRTC

/// An agent of another program, aioice, with its own credentials and candidates. It ends with this value.
final class AioicePeer {
  /// The Python that has aioice; nil, with a sentence on stderr, where it cannot be installed.
  static let python: String? = {
    guard let pipe = popen("'\(root)/.ci/python' aioice", "r") else { return nil }
    var line = [CChar](repeating: 0, count: 4096)
    let hasLine = fgets(&line, Int32(line.count), pipe) != nil
    guard pclose(pipe) == 0, hasLine else { return nil }
    return String(decoding: line.prefix { $0 > 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }()

  private static let root = String(#filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 })

  private let process = Process()
  private let pipe = Pipe()
  private var text = ""

  /// Starts an agent in a role, with the credentials and ports of ours.
  init(_ role: String, _ credentials: ICECredentials, isLite: Bool = false, ports: [UInt16]) throws {
    process.executableURL = URL(fileURLWithPath: Self.python!)
    process.arguments =
      ["\(Self.root)/Tests/ICEPeers/aioice", role, credentials.fragment, credentials.password]
      + (isLite ? ["lite"] : []) + ports.map { "\($0)" }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    try process.run()
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  }

  deinit { if process.isRunning { process.terminate() } }

  /// Complete lines by now.
  func lines() -> [Substring] {
    var block = [UInt8](repeating: 0, count: 4096)
    while case let count = read(pipe.fileHandleForReading.fileDescriptor, &block, block.count), count > 0 {
      text += String(decoding: block[..<count], as: UTF8.self)
    }
    return Array(text.split(separator: "\n", omittingEmptySubsequences: false).dropLast())
  }

  /// Credentials and candidates; nil before they have been printed.
  func description() -> (credentials: ICECredentials, candidates: [ICECandidate])? {
    let lines = lines()
    guard let end = lines.firstIndex(of: ""), let words = lines.first?.split(separator: " "), words.count == 2,
      let credentials = ICECredentials(fragment: words[0], password: words[1])
    else { return nil }
    return (credentials, lines[1..<end].compactMap { ICECandidate(parsing: $0) })
  }

  /// Words of the last line: `connected PORT ROLE` or `failed REASON`; nil before.
  func result() -> [Substring]? {
    let lines = lines()
    guard let end = lines.firstIndex(of: ""), end + 1 < lines.count else { return nil }
    return lines[end + 1].split(separator: " ")
  }
}
