import Foundation
import TestSupport

/// aiortc, another program that offers and answers.
enum Aiortc {
  /// Python that has aiortc, installed on the first call if need be; nil if it cannot be installed.
  static let python: String? = try? run("/bin/bash", [root + "/.ci/python", "aiortc"]) { _ in "" }.first

  /// Returns the fields that aiortc reads from a description, as JSON. Throws if aiortc refuses the description.
  static func parse(_ text: String) throws -> Fields {
    let output = try run(python!, [script, "parse"]) { _ in text }
    return try JSONDecoder().decode(Fields.self, from: Data(output[0].utf8))
  }

  /// Returns aiortc's answer to an offer.
  static func answer(_ offer: String, _ directions: [String]) throws -> String {
    try run(python!, [script, "answer"] + directions) { _ in offer }[0]
  }

  /// Gives aiortc the answer to its offer. Returns: the transceivers afterwards.
  static func offer(_ kinds: [String], answering answer: (String) throws -> String) throws -> [Transceiver] {
    let output = try run(python!, [script, "offer"] + kinds, answering: answer)
    return try JSONDecoder().decode([Transceiver].self, from: Data(output[1].utf8))
  }

  struct Fields: Decodable {
    struct Group: Decodable { let semantic: String, items: [String] }
    struct Media: Decodable {
      let kind: String, port: Int, mid: String, direction: String?
      let codecs: [String], feedback: [String], extensions: [String: String]
      let ufrag: String?, password: String?, lite: Bool, candidates: [String], complete: Bool
      let fingerprints: [String], role: String?, mux: Bool, msid: String?, track: String?, sources: [String]
    }
    let groups: [Group], media: [Media]
  }

  struct Transceiver: Decodable, Equatable {
    let kind: String, mid: String, direction: String?, stopped: Bool, role: String
  }

  private struct Failure: Error { let code: Int32 }

  private static let root = String(#filePath.split(separator: "/").dropLast(5).reduce("") { $0 + "/" + $1 })
  private static let script = root + "/Tests/Aiortc/descriptions"

  /// Runs a program that reads an answer to the part of its output before a line with '.', or to nothing.
  private static func run(
    _ program: String, _ arguments: [String], answering answer: (String) throws -> String
  ) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
    process.arguments = ["300", program] + arguments
    // A refusal is a traceback there; an installation's errors are worth reading.
    if program != "/bin/bash" { process.standardError = FileHandle.nullDevice }
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var bytes = Data()
    var first: String?
    if arguments.dropFirst().first == "offer" {
      while bytes.suffix(3) != Data("\n.\n".utf8) {
        let more = output.fileHandleForReading.availableData
        guard !more.isEmpty else { break }
        bytes += more
      }
      first = String(decoding: bytes.dropLast(2), as: UTF8.self)
      bytes = Data()
    }
    let reply = Result { try answer(first ?? "") }
    try input.fileHandleForWriting.write(contentsOf: Data(((try? reply.get()) ?? "").utf8))
    try input.fileHandleForWriting.close()
    bytes += output.fileHandleForReading.readDataToEndOfFile()
    process.waitForEnd()
    _ = try reply.get()
    guard process.terminationStatus == 0 else { throw Failure(code: process.terminationStatus) }
    let rest = String(decoding: bytes, as: UTF8.self)
    return (first.map { [$0] } ?? []) + [rest.hasPrefix("v=") ? rest : rest.trimmingCharacters(in: .newlines)]
  }
}
