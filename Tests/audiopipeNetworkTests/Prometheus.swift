import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// prometheus_client, another program's parser of metrics.
enum Prometheus {
  /// Python that has prometheus_client, installed on the first call if need be; nil if it cannot be installed.
  static let python: String? = {
    guard let folder = try? Workspace(),
      let ending = try? Tool.shell("'\(root)/.ci/python' prometheus_client", in: folder), ending.status == 0
    else { return nil }
    return ending.text.trimmingCharacters(in: .newlines)
  }()

  /// Returns the samples of an HTTP answer by their names with labels. Throws if the parser refuses them.
  static func samples(_ answer: [UInt8], in folder: Workspace) throws -> [String: Double] {
    try folder.write("answer.txt", answer)
    let ending = try Tool.shell("'\(python ?? "")' '\(root)/Tests/Prometheus/metrics' < answer.txt", in: folder)
    try #require(ending.status == 0, "\(ending.errors)")
    return try #require(ending.json as? [String: Double])
  }

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path
}
