import Testing

@testable import Engine

/// Wishes of several engines for one local voice.
@Suite(.timeLimit(.minutes(10))) struct ChannelOwnersTests {
  private final class Owner {}

  @Test("a voice is muted, and a microphone held, once all engines want it")
  func all() {
    let (one, other) = (Owner(), Owner())
    var owners = ChannelOwners()
    #expect(!owners.haveMuted && !owners.holdMicrophone)
    owners.setMuted(true, by: one)
    owners.setHolding(true, by: one)
    #expect(owners.haveMuted && owners.holdMicrophone)
    owners.setMuted(false, by: other)
    owners.setHolding(false, by: other)
    #expect(!owners.haveMuted && !owners.holdMicrophone)
    owners.setMuted(true, by: other)
    #expect(owners.haveMuted && !owners.holdMicrophone)
    owners.remove(other)
    #expect(owners.haveMuted && owners.holdMicrophone)
    owners.remove(one)
    #expect(!owners.haveMuted && !owners.holdMicrophone)
  }
}
