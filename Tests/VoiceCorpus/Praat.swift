import Glibc

/// Praat, another program's opinion: its pitch tracks of samples.
public enum Praat {
  /// A track, and what it cost.
  public struct Track: Sendable {
    /// Seconds, and Hz, 0 where nothing is voiced.
    public let rows: [(seconds: Double, hertz: Float)]
    /// Processor time, in seconds.
    public let secondsUsed: Double
  }

  /// The Python that has Praat, installed on the first call if need be; nil, with a word on stderr, where it cannot be.
  public static let python: String? = output(of: "'\(root)/.ci/python' parselmouth")?.first.map(String.init)

  /// Praat's autocorrelation method with its own settings but for the range of pitches; nil where it cannot be had.
  public static func track(
    _ samples: [Float], sampleRate: Int, from lowest: Int, to highest: Int, stepSeconds: Double = 0.01
  ) -> Track? {
    guard let python else { return nil }
    var template = Array("/tmp/audiopipe-praat-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else { return nil }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unlink(path) }
    let isWritten = samples.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count, case let count = write(file, bytes.baseAddress! + done, bytes.count - done), count > 0 {
        done += count
      }
      return done == bytes.count
    }
    close(file)
    let command = "'\(python)' '\(root)/Tests/Praat/track' \(path) \(sampleRate) \(lowest) \(highest) \(stepSeconds)"
    guard isWritten, let lines = output(of: command) else { return nil }
    var rows: [(seconds: Double, hertz: Float)] = []
    var used = 0.0
    for line in lines {
      let words = line.split(separator: " ")
      guard words.count == 2, let value = Double(words[1]) else { return nil }
      if let seconds = Double(words[0]) { rows.append((seconds, Float(value))) } else { used = value }
    }
    return Track(rows: rows, secondsUsed: used)
  }

  private static let root = String(#filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 })

  /// The lines that a shell command prints; nil if it fails.
  static func output(of command: String) -> [Substring]? {
    guard let pipe = popen(command, "r") else { return nil }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&block, 1, block.count, pipe), count > 0 { bytes += block[..<count] }
    guard pclose(pipe) == 0 else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }
}
