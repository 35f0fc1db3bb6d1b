/// config.json, to and from a model's shape.
#include "host/formats/hf_config.hpp"

#include "tests/formats/weights.hpp"

namespace weft::formats {
namespace {

std::string refusal(const std::string& text) {
  return refusal_of([&] { read_hf_config(text, "config.json"); });
}

TEST(HfConfig, WrittenConfigIsReadBack) {
  compiler::ModelShape llama2 = small_llama();
  llama2.kv_heads = 0, llama2.tied = true, llama2.rotary = {.layout = "halves"};
  for (const compiler::ModelShape& model :
       {small_gpt2(), small_gpt2(false), small_gptj(), small_cerebras_gpt(), small_llama(), llama2, small_bert(),
        small_bert(false), small_bert_pretraining()}) {
    const compiler::ModelShape read = read_hf_config(hf_config(model, checkpoint::Dtype::F32, 3), "config.json");
    EXPECT_EQ(refusal_of([&] { check_same_model(read, model, "config.json"); }), "accepted");
    EXPECT_EQ(read.network, model.network);
    EXPECT_EQ(read.filter, model.filter);
    EXPECT_EQ(read.rotary_dim, model.rotary_dim);
    EXPECT_EQ(read.ln_eps, model.ln_eps);
    EXPECT_EQ(read.segments, model.segments);
    EXPECT_EQ(read.classes, model.classes);
    EXPECT_EQ(read.padding_token, model.padding_token);
  }
}

TEST(HfConfig, MissingKeyHasTheClassDefault) {
  const compiler::ModelShape gpt2 = read_hf_config(R"({"model_type": "gpt2"})", "config.json");
  EXPECT_EQ(gpt2.vocab, 50257);
  EXPECT_EQ(gpt2.hidden, 768);
  EXPECT_EQ(gpt2.filter, 3072);
  EXPECT_TRUE(gpt2.tied);
  const compiler::ModelShape gptj = read_hf_config(R"({"model_type": "gptj", "n_inner": null})", "config.json");
  EXPECT_EQ(gptj.hidden, 4096);
  EXPECT_EQ(gptj.filter, 16384);
  EXPECT_EQ(gptj.rotary_dim, 64);
  EXPECT_FALSE(gptj.tied);
}

TEST(HfConfig, BertHasItsOwnKeys) {
  const compiler::ModelShape base = read_hf_config(R"({"model_type": "bert"})", "config.json");
  EXPECT_EQ(base.network, "bert");
  EXPECT_EQ(base.vocab, 30522);
  EXPECT_EQ(base.seq, 512);
  EXPECT_EQ(base.filter, 3072);
  EXPECT_EQ(base.segments, 2);
  EXPECT_EQ(base.padding_token, 0);
  EXPECT_EQ(base.ln_eps, 1e-12F);
  EXPECT_SAYS(refusal(R"({"model_type": "bert", "hidden_act": "relu", "type_vocab_size": 0})"),
              "config.json: hidden_act is \"relu\", but Weft has \"gelu\"; type_vocab_size is 0, not a number of 1 to "
              "256. HINT: Weft does not support this model");
  EXPECT_EQ(read_hf_config(R"({"model_type": "bert", "architectures": ["BertForPreTraining"]})", "c").classes, 2);
  EXPECT_EQ(refusal_of([&] { check_same_model(small_bert_pretraining(), small_bert(), "c"); }), "accepted");
  EXPECT_SAYS(
      refusal_of([&] { check_same_model(small_bert(), small_bert_pretraining(), "config.json"); }),
      "architectures has no BertForPreTraining and model.network is bert_pretraining. HINT: set --model.network "
      "bert --model.num_classes 0");
  compiler::ModelShape other = base;
  other.heads = 16;
  EXPECT_SAYS(refusal_of([&] { check_same_model(base, other, "config.json"); }),
              "num_attention_heads is 12 and model.num_heads is 16. HINT: set --model.num_heads 12, or");
  EXPECT_SAYS(refusal_of([&] { check_same_model(small_gpt2(), small_bert(), "config.json"); }),
              "model_type is gpt2 and model.network is bert");
}

/// By transformers' attribute_map a config.json may use either name.
TEST(HfConfig, SizesMayHaveTheNamesThatTransformersMapsToThem) {
  const compiler::ModelShape model = read_hf_config(
      R"({"model_type": "gpt2", "hidden_size": 64, "num_hidden_layers": 3, "num_attention_heads": 4,
          "max_position_embeddings": 128, "n_embd": 64, "intermediate_size": 256})",
      "config.json");
  EXPECT_EQ(model.hidden, 64);
  EXPECT_EQ(model.layers, 3);
  EXPECT_EQ(model.heads, 4);
  EXPECT_EQ(model.seq, 128);
  EXPECT_EQ(model.filter, 256);
  EXPECT_SAYS(refusal(R"({"model_type": "gpt2", "hidden_size": 64, "n_embd": 96})"),
              "hidden_size is 64 and n_embd, which means the same, is 96");
}

TEST(HfConfig, NamesThatTransformersDoesNotReadAreRefusedUnlessTheySayTheSame) {
  EXPECT_SAYS(refusal(R"({"model_type": "gpt2", "n_embd": 64, "intermediate_size": 100})"),
              "intermediate_size is 100, but transformers reads n_inner here, which is missing");
  EXPECT_SAYS(refusal(R"({"model_type": "gpt2", "layer_norm_eps": 1e-12})"), "layer_norm_eps is 1e-12");
  EXPECT_SAYS(refusal(R"({"model_type": "gpt2", "hidden_act": "gelu"})"), "hidden_act is \"gelu\"");
  EXPECT_EQ(refusal(R"({"model_type": "gpt2", "n_inner": 100, "intermediate_size": 100, "hidden_act": "gelu_new"})"),
            "accepted");
}

TEST(HfConfig, AKeyThatIsMissingIsNamedWithTheOneThatLooksLikeIt) {
  for (const auto& [name, key] : {std::pair("num_layers", "n_layer"),
                                  {"n_layers", "n_layer"},
                                  {"d_model", "n_embd"},
                                  {"num_heads", "n_head"},
                                  {"n_heads", "n_head"},
                                  {"n_ctx", "n_positions"},
                                  {"block_size", "n_positions"},
                                  {"d_ff", "n_inner"}}) {
    const std::string said = refusal(fmt::format(R"({{"model_type": "gpt2", "{}": 6}})", name));
    EXPECT_SAYS(said, fmt::format("{} is 6, but transformers reads {} here, which is missing. HINT: rename {} to {} in "
                                  "that file",
                                  name, key, name, key));
    EXPECT_EQ(refusal(fmt::format(R"({{"model_type": "gpt2", "{}": 6, "{}": 12}})", name, key)), "accepted") << name;
  }
  EXPECT_EQ(refusal(R"({"model_type": "gpt2", "n_ctx": 1024, "num_layers": 12})"), "accepted") << "as they are anyway";
  EXPECT_EQ(refusal(R"({"model_type": "gpt2", "d_model": 6, "hidden_size": 12})"), "accepted");
}

TEST(HfConfig, KeysOfOtherModelsAreToBeRenamedOrLeftOut) {
  EXPECT_SAYS(refusal(R"({"model_type": "gpt2", "n_embd": 64, "intermediate_size": 100, "layer_norm_eps": 1e-6})"),
              "HINT: rename intermediate_size to n_inner and layer_norm_eps to layer_norm_epsilon in that file, or "
              "leave out what transformers did not train with");
  EXPECT_SAYS(refusal(R"({"model_type": "gpt2", "n_inner": 64, "intermediate_size": 100})"),
              "n_inner here, which is 64. HINT: leave intermediate_size out of that file");
  EXPECT_SAYS(refusal(R"({"model_type": "gpt2", "hidden_act": "gelu_fast", "num_layers": 3})"),
              "HINT: rename hidden_act to activation_function and num_layers to n_layer in that file");
  EXPECT_SAYS(refusal(R"({"model_type": "gpt2", "intermediate_size": 100, "n_head": "2"})"),
              "HINT: rename intermediate_size to");
  EXPECT_SAYS(refusal(R"({"model_type": "gpt2", "num_layers": 3, "scale_attn_weights": false})"),
              "HINT: Weft does not support this model");
  EXPECT_SAYS(refusal(R"({"model_type": "gpt2", "num_key_value_heads": 3})"), "HINT: Weft does not support this model");
}

TEST(HfConfig, AnotherModelIsCalledByItsName) {
  EXPECT_SAYS(refusal(R"({"model_type": "mistral", "hidden_size": 64, "intermediate_size": 100})"),
              R"(model_type: "mistral" is not one of Weft's networks)");
  EXPECT_SAYS(refusal(R"({"architectures": ["MistralForCausalLM"], "hidden_size": 64})"),
              "architectures: MistralForCausalLM is not one of Weft's networks");
  EXPECT_SAYS(refusal(R"({"model_type": "roberta"})"), R"("roberta" is not one of Weft's networks)");
  EXPECT_EQ(refusal(R"({"architectures": ["GPT2LMHeadModel"]})"), "accepted");
}

TEST(HfConfig, APageOrAPointerInItsPlaceIsCalledSo) {
  EXPECT_SAYS(refusal("<!DOCTYPE html><html></html>"), "config.json: is an HTML page, not a JSON object. HINT: fetch");
  EXPECT_SAYS(refusal("version https://git-lfs.github.com/spec/v1\n"), "config.json: is a pointer of Git LFS");
}

TEST(HfConfig, DeepNestingIsRejected) {
  const std::string deep = std::string(300000, '[') + std::string(300000, ']');
  EXPECT_SAYS(refusal(R"({"model_type": "gpt2", "scale_attn_weights": )" + deep + "}"), "is not a JSON object");
  EXPECT_EQ(refusal(R"({"model_type": "gpt2", "x": ["[[\"]]]"]})"), "accepted");
}

TEST(HfConfig, GeluByTanhHasThreeNamesAndGeluByErfIsCerebrasGpt) {
  for (const std::string name : {"gelu_new", "gelu_pytorch_tanh", "gelu_fast"})
    EXPECT_EQ(refusal(R"({"model_type": "gpt2", "activation_function": ")" + name + "\"}"), "accepted") << name;
  const auto exact = read_hf_config(R"({"model_type": "gpt2", "activation_function": "gelu"})", "config.json");
  EXPECT_EQ(exact.network, "cerebras_gpt");
  EXPECT_SAYS(refusal_of([&] { check_same_model(exact, read_hf_config(R"({"model_type": "gpt2"})", ""), "c.json"); }),
              "activation_function is gelu and model.network is gpt2. HINT: set --model.network cerebras_gpt");
  EXPECT_SAYS(refusal(R"({"model_type": "gptj", "activation_function": "gelu"})"),
              R"(activation_function is "gelu", but Weft has "gelu_new")");
  EXPECT_SAYS(refusal(R"({"model_type": "gpt2", "activation_function": "relu"})"),
              R"(activation_function is "relu", but Weft has "gelu_new")");
}

TEST(HfConfig, AllThatWeftHasNotIsNamedAtOnce) {
  const std::string said = refusal(R"({"model_type": "gpt2", "n_layer": 0, "vocab_size": 400000, "n_head": "x",
    "scale_attn_weights": false, "scale_attn_by_inverse_layer_idx": true, "add_cross_attention": true,
    "quantization_config": {}, "layer_norm_epsilon": "small"})");
  for (const char* part :
       {"n_layer is 0, not a number of 1 to 65535", "vocab_size is 400000, not a number of 1 to 327675",
        R"(n_head is "x",)", "scale_attn_weights is false, but Weft has true",
        "scale_attn_by_inverse_layer_idx is true, but Weft has false",
        "add_cross_attention is true, but Weft has false", "quantization_config is set",
        R"(layer_norm_epsilon is "small", not a number)"})
    EXPECT_SAYS(said, part);
  EXPECT_SAYS(refusal(R"({"model_type": "gptj", "rotary_dim": null})"), "rotary_dim is null");
  EXPECT_SAYS(refusal(R"({"model_type": "gptj", "tie_word_embeddings": true})"), "tie_word_embeddings is true");
  EXPECT_SAYS(refusal(R"({"model_type": "mistral"})"), R"(model_type: "mistral" is not one of Weft's networks)");
  EXPECT_SAYS(refusal("{}"), "model_type: null");
  for (const char* text : {"[]", "7"}) EXPECT_SAYS(refusal(text), "is not a JSON object");
  for (const char* text : {"", "{"}) EXPECT_SAYS(refusal(text), "is not JSON at byte ");
  EXPECT_SAYS(refusal("{\"n_head\": 2,\n}"), "config.json: is not JSON at line 2, byte 1: ");
}

/// Python's json module writes these values, and transformers accepts them.
TEST(HfConfig, TransformersEquivalentsAreAccepted) {
  for (const char* more : {R"("rope_theta": NaN, "limits": [0.0, Infinity])", R"("scale_attn_weights": 1)",
                           R"("scale_attn_by_inverse_layer_idx": null)", R"("add_cross_attention": null)",
                           R"("reorder_and_upcast_attn": null)"})
    EXPECT_EQ(refusal(fmt::format(R"({{"model_type": "gpt2", {}}})", more)), "accepted") << more;
  EXPECT_SAYS(refusal(R"({"model_type": "gpt2", "n_head": "2"})"),
              R"(n_head is "2", not a number of 1 to 65535. HINT: correct these values in that file.)");
  EXPECT_SAYS(refusal(R"({"model_type": "gpt2", "tie_word_embeddings": "true"})"),
              R"(tie_word_embeddings is "true", not true or false)");
}

TEST(HfConfig, AllThatDiffersFromTheModelIsNamedWithBothValues) {
  compiler::ModelShape ours = small_gpt2();
  ours.hidden = 12, ours.heads = 3, ours.vocab = 12, ours.seq = 6, ours.layers = 1, ours.filter = 48;
  ours.tied = false, ours.ln_eps = 1e-6F;
  const std::string said = refusal_of([&] { check_same_model(small_gpt2(), ours, "config.json"); });
  for (const char* part :
       {"vocab_size is 11 and model.vocab_size is 12", "n_positions is 5 and model.max_sequence_length is 6",
        "n_embd is 6 and model.hidden_size is 12", "n_layer is 2 and model.num_hidden_layers is 1",
        "n_head is 2 and model.num_heads is 3", "n_inner is 24 and model.filter_size is 48",
        "layer_norm_epsilon is 1e-05 and model.layer_norm_epsilon is 1e-06",
        "tie_word_embeddings is true and model.share_embedding_weights is false", "--model.hidden_size 6"})
    EXPECT_SAYS(said, part);
  EXPECT_SAYS(refusal_of([&] { check_same_model(small_gptj(), small_gpt2(), "config.json"); }),
              "model_type is gptj and model.network is gpt2");
}

/// LLaMA 3.1 8B, as it is published, and a file of a newer version of transformers.
TEST(HfConfig, LlamaIsRead) {
  constexpr auto kLlama31 = R"({"architectures": ["LlamaForCausalLM"], "attention_bias": false, "hidden_act": "silu",
    "hidden_size": 4096, "intermediate_size": 14336, "max_position_embeddings": 131072, "mlp_bias": false,
    "model_type": "llama", "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8,
    "pretraining_tp": 1, "rms_norm_eps": 1e-05, "rope_scaling": {"factor": 8.0, "high_freq_factor": 4.0,
    "low_freq_factor": 1.0, "original_max_position_embeddings": 8192, "rope_type": "llama3"}, "rope_theta": 500000.0,
    "tie_word_embeddings": false, "vocab_size": 128256})";
  compiler::ModelShape model = read_hf_config(kLlama31, "config.json");
  EXPECT_EQ(model.network, "llama");
  EXPECT_EQ(model.kv_heads, 8);
  EXPECT_EQ(model.rotary_dim, 128);
  EXPECT_EQ(model.filter, 14336);
  EXPECT_EQ(model.seq, 65535) << "as many as Weft can";
  EXPECT_FALSE(model.tied);
  EXPECT_EQ(model.rotary.layout, "halves");
  EXPECT_EQ(model.rotary.theta, 500000);
  EXPECT_EQ(model.rotary.scaling, "llama3");
  EXPECT_EQ(model.rotary.factor, 8);
  EXPECT_EQ(model.rotary.original_length, 8192);
  model = read_hf_config(R"({"model_type": "llama"})", "config.json");
  EXPECT_EQ(model.kv_heads, 32);
  EXPECT_EQ(model.filter, 11008);
  EXPECT_EQ(model.ln_eps, 1e-6F);
  EXPECT_EQ(model.rotary.scaling, "none");
  model = read_hf_config(R"({"model_type": "llama", "rope_parameters": {"rope_theta": 7e5, "rope_type": "default"}})",
                         "config.json");
  EXPECT_EQ(model.rotary.theta, 7e5);
  model = read_hf_config(R"({"model_type": "llama", "rope_scaling": {"type": "linear", "factor": 2}})", "config.json");
  EXPECT_EQ(model.rotary.scaling, "linear");
  EXPECT_EQ(model.rotary.factor, 2);
}

TEST(HfConfig, UnsupportedLlamaIsRefusedWithItsKeys) {
  const std::string said = refusal(R"({"model_type": "llama", "hidden_act": "gelu", "attention_bias": true,
    "head_dim": 64, "num_key_value_heads": 0, "rms_norm_eps": "small",
    "rope_scaling": {"rope_type": "yarn", "factor": 2}})");
  for (const char* part :
       {R"(hidden_act is "gelu", but Weft has "silu")", "attention_bias is true, but Weft has false",
        "head_dim is 64, but Weft has hidden_size / num_attention_heads, which is 128", "num_key_value_heads is 0",
        R"(rms_norm_eps is "small", not a number above 0)", R"(the type "yarn", but Weft has linear and llama3)",
        "HINT: Weft does not support this model"})
    EXPECT_SAYS(said, part);
  EXPECT_SAYS(refusal(R"({"model_type": "llama", "rope_scaling": 2})"), "rope_scaling is 2, not an object");
  EXPECT_SAYS(refusal(R"({"model_type": "llama", "quantization_config": {}})"), "quantization_config is set");
}

TEST(HfConfig, LlamaThatDiffersIsNamedWithBothValues) {
  compiler::ModelShape ours = small_llama();
  ours.kv_heads = 1, ours.rotary.theta = 10000, ours.rotary.factor = 2, ours.rotary.low_turns = 2, ours.seq = 6;
  const std::string said = refusal_of([&] { check_same_model(small_llama(), ours, "config.json"); });
  for (const char* part :
       {"num_key_value_heads is 2 and model.num_kv_heads is 1", "rope_theta is 500 and model.rope_theta is 10000",
        "factor is 8 and model.rope_scaling_factor is 2", "low_freq_factor is 1 and model.rope_low_freq_factor is 2",
        "max_position_embeddings is 5 and model.max_sequence_length is 6", "--model.num_kv_heads 2"})
    EXPECT_SAYS(said, part);
  EXPECT_SAYS(refusal_of([&] { check_same_model(small_llama(), small_gpt2(), "config.json"); }),
              "model_type is llama and model.network is gpt2");
  ours = small_llama(), ours.seq = 4;
  EXPECT_EQ(refusal_of([&] { check_same_model(small_llama(), ours, "config.json"); }), "accepted");
}

TEST(HfConfig, LlamaOfAnotherRotationIsNotWritten) {
  compiler::ModelShape model = small_llama();
  model.rotary.layout = "pairs";
  EXPECT_SAYS(refusal_of([&] { hf_config(model, checkpoint::Dtype::F32, 1); }), "model.rotary_layout: pairs, but");
  model = small_llama(), model.rotary_dim = 2;
  EXPECT_SAYS(refusal_of([&] { hf_config(model, checkpoint::Dtype::F32, 1); }),
              "model.rotary_dim: 2, but LlamaForCausalLM rotates all 4 features of a head");
}

TEST(HfConfig, RotarySequenceMayBeShorter) {
  compiler::ModelShape ours = small_gptj();
  ours.seq = 4;
  EXPECT_EQ(refusal_of([&] { check_same_model(small_gptj(), ours, "config.json"); }), "accepted");
  ours.seq = 6, ours.rotary_dim = 4;
  const std::string said = refusal_of([&] { check_same_model(small_gptj(), ours, "config.json"); });
  EXPECT_SAYS(said, "n_positions is 5");
  EXPECT_SAYS(said, "rotary_dim is 2 and model.rotary_dim is 4");
}

TEST(HfConfig, ANetworkOfOnesOwnHasNoClassThere) {
  const test::TemporaryFolder folder;
  compiler::ModelShape model = small_gpt2();
  model.network = folder.write("mine.yaml", network::network_text("gpt2"));
  EXPECT_EQ(hf_kind(model), HfKind::Gpt2) << "the same file by another path";
  folder.write("mine.yaml", network::network_text("gpt2") + "# another\n");
  EXPECT_SAYS(refusal_of([&] { hf_kind(model); }), "is a network that Hugging Face does not have");
}

}  // namespace
}  // namespace weft::formats
