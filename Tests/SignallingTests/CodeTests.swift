import Signalling
import TestSupport
import Testing

/// Numbers as the list of behaviours has them.
@Suite("Numbers of states, reasons and errors", .timeLimit(.minutes(10)))
struct CodeTests {
  @Test("every number is the documented one", .shows("C5", "C7", "C8"))
  func numbers() {
    #expect(
      ChannelErrorCode.allCases.map(\.rawValue) == [
        -1, -2, -3, -5, -7, -8, -12, -17, -102, -109, -110, -116, -117, -121,
      ])
    #expect(ConnectionState.allCases.map(\.rawValue) == [1, 2, 3, 4, 5])
    #expect(ConnectionReason.allCases.map(\.rawValue) == Array(0...20))
    #expect(OfflineReason.allCases.map(\.rawValue) == [0, 1, 2])
    #expect(ChannelProfile.allCases.map(\.rawValue) == [0, 1, 2, 3])
    #expect(ClientRole.broadcaster.rawValue == 1 && ClientRole.audience.rawValue == 2)
  }

  @Test("live and game command have roles")
  func roles() { #expect(ChannelProfile.allCases.map(\.hasRoles) == [false, true, false, true]) }
}
