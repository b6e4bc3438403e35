// The events and options of channels are those of their connections: programs import one module.
//
//     import Channels
@_exported public import EncodedAudio
@_exported public import RelayClient
