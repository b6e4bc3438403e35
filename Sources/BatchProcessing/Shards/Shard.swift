/// One of several parts of a manifest, such as `3/16`: the part of one worker.
public struct Shard: Hashable, Sendable {
  /// Most shards of a manifest.
  public static let most = 99_999
  /// The only shard, of all rows.
  public static let whole = Shard(number: 1, count: 1)

  /// Number of the shard, from 1.
  public let number: Int
  /// Number of all shards.
  public let count: Int

  /// Creates shard `number` of `count`; 1 <= number <= count <= `most`.
  ///
  /// - Parameters:
  ///   - number: Number of the shard, from 1.
  ///   - count: Number of all shards.
  public init(number: Int, count: Int) {
    precondition(1...Self.most ~= count && 1...count ~= number, "there is no such shard")
    self.number = number
    self.count = count
  }

  /// Reads a shard.
  ///
  /// - Parameter text: Number and count of shards, such as `3/16`.
  /// - Throws: `usage` for another text.
  public init(_ text: String) throws(BatchError) { try self.init(text, fault: "'\(text)' is not a shard") }

  /// Reads the value of `--shard`, such as `3/16`.
  ///
  /// - Throws: `usage` for another text.
  package init(option text: String) throws(BatchError) {
    try self.init(text, fault: "option '--shard' cannot take '\(text)'")
  }

  private init(_ text: String, fault: String) throws(BatchError) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { part in
      part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
    }
    guard parts.count == 2, let number = parts[0], let count = parts[1], 1...Self.most ~= count else {
      throw .usage("\(fault); it needs I/N such as 3/16, at most \(Self.most) shards")
    }
    guard 1...count ~= number else {
      throw .usage("\(fault): shards count from 1 to \(count)")
    }
    self.init(number: number, count: count)
  }

  /// The shard as a text: `3/16`.
  public var text: String { "\(number)/\(count)" }

  /// Beginning of the names of the shard's files: `results-00003-of-00016`.
  public var fileStem: String { "results-\(Self.digits(number))-of-\(Self.digits(count))" }

  /// Returns the shard of a file's name, `results-00003-of-00016` and an extension; nil for other names.
  package init?(fileName: String, fileExtension: String) {
    let parts = fileName.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "results", parts[2] == "of", parts[3].hasSuffix(fileExtension),
      let number = Int(parts[1]), let count = Int(parts[3].dropLast(fileExtension.count)),
      1...Self.most ~= count, 1...count ~= number
    else { return nil }
    let shard = Shard(number: number, count: count)
    guard shard.fileStem + fileExtension == fileName else { return nil }
    self = shard
  }

  private static func digits(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 5 - digits.utf8.count)) + digits
  }
}
