import Foundation
import Signalling

/// Messages that Documentation/Signalling.md shows.
enum SignallingPage {
  static let client = messages("C: ")
  static let relay = messages("R: ")

  private static func messages(_ prefix: String) -> [String] {
    let root = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
    guard let page = try? String(contentsOfFile: root + "/Documentation/Signalling.md", encoding: .utf8) else {
      return []
    }
    return page.split(separator: "\n").filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
  }
}
