import Glibc
import Platform

/// The files of the cards, `/dev/snd`, as far as an error names them.
enum DeviceFiles {
  /// Access of the user to the cards.
  enum Access: Hashable, Sendable {
    /// No card has a file here.
    case absent
    /// There are cards, and the user may open none.
    case forbidden
    /// The user may open a card.
    case allowed
  }

  /// Returns the user's access to the cards of `directory`.
  static func access(in directory: String = "/dev/snd") -> Access {
    guard let names = folderNames(directory) else { return errno == EACCES ? .forbidden : .absent }
    let cards = names.filter { $0.hasPrefix("controlC") }
    if cards.isEmpty { return .absent }
    return cards.contains { Glibc.access("\(directory)/\($0)", R_OK | W_OK) == 0 } ? .allowed : .forbidden
  }
}
