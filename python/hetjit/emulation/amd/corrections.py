"""Where AMD's pseudo-code is silent, or does not say what the hardware does: (instructions, what it says, what is meant, source).

A row changes the text of each instruction whose name the first column matches, before it is read. The names are those of the tables.
"""

import re

ANY, LOOP = r"[SV]_.*", "the same without a loop"

ROWS = (
    # The lane's bit of VCC is meant, and what is not scaled stays as it is (V_DIV_SCALE: "D.f = S0.f" in the GCN3 document's text).
    (r"V_DIV_SCALE_F(32|64)", "VCC = 0x0LL;", "VCC.u64[laneId] = 1'0U; D0 = S0;", "GCN3 ISA document, V_DIV_SCALE_F32"),
    (r"V_DIV_SCALE_F(32|64)", "VCC = 0x1LL", "VCC.u64[laneId] = 1'1U", "GCN3 ISA document, V_DIV_SCALE_F32"),
    # A denominator so large that its reciprocal is subnormal is made smaller, not larger.
    (r"V_DIV_SCALE_F(32|64)", r"(== DENORM\.f\d+\)\) then(?s:.*?)ldexp\(S0\.f\d+, )(\d+)", r"\1-\2", "IEEE 754: a quotient is a number; the next case"),
    # The quotient is too small by 2^64 (2^128) where the denominator was scaled, too large where the numerator was.
    (r"V_DIV_FMAS_F32", "2.0F ** 32 * fma(S0.f32, S1.f32, S2.f32)", "fma_scaled(S0.f32, S1.f32, S2.f32, exponent(S2.f32) > 127 ? 64 : -64)",
     "what V_DIV_SCALE_F32 does, and that quotients are right in LLVM's expansion of fdiv"),
    (r"V_DIV_FMAS_F64", "2.0 ** 64 * fma(S0.f64, S1.f64, S2.f64)", "fma_scaled(S0.f64, S1.f64, S2.f64, exponent(S2.f64) > 1023 ? 128 : -128)",
     "what V_DIV_SCALE_F64 does, and that quotients are right in LLVM's expansion of fdiv"),
    # A quotient beyond the largest number: what comes of the steps before is no number then.
    (r"V_DIV_FIXUP_F32", "exponent(S1.f32) == 255", "exponent(S2.f32) - exponent(S1.f32) > 128", "IEEE 754: such a quotient is infinite"),
    (r"V_DIV_FIXUP_F64", "exponent(S1.f64) == 2047", "exponent(S2.f64) - exponent(S1.f64) > 1024", "IEEE 754: such a quotient is infinite"),
    # Subnormal numbers and zero.
    (r"V_FREXP_EXP_I(16|32)_F\d+", r"exponent\(S0\.(f\d+)\) - \d+ \+ 1", r"frexp_exponent(S0.\1)", "LLVM, llvm.amdgcn.frexp.exp: \"the exponent of 0 is 0\""),
    # The bits that follow the first `shift` ones of 2/pi, not the last 53 of them.
    (r"V_TRIG_PREOP_F64", "64'F((1201'B(2.0 / PI)[1200 : 0] << shift.u32) & 1201'0x1fffffffffffff)", "two_over_pi(shift)",
     "the comment in the same text: \"which bits are brought into the whole part\""),
    # The argument is in turns, and the hardware does not round its product with 2 pi.
    (r"V_SIN_F\d+", r"sin\(S0\.(f\d+) \* \d+'F\(PI \* 2\.0\)\)", r"sin_of_turns(S0.\1)", "CDNA3 ISA document: accuracy of V_SIN_F32"),
    (r"V_COS_F\d+", r"cos\(S0\.(f\d+) \* \d+'F\(PI \* 2\.0\)\)", r"cos_of_turns(S0.\1)", "CDNA3 ISA document: accuracy of V_COS_F32"),
    # -0 and what lies below 0.5 in magnitude keep their sign; large numbers stay as they are.
    (r"V_RNDNE_F\d+", r"(?s).*floor\(S0\.(f\d+).*", r"D0.\1 = round_to_even(S0.\1)", "IEEE 754 roundToIntegralTiesToEven, which LLVM's rint is"),
    (r"V_(CEIL|FLOOR)_F\d+", r"(?s)^.*trunc\(S0\.(f\d+)\);.*([+-])= (-?)\S+\nendif.*", None, "IEEE 754: the sign of a zero result"),
    # 1.0 and above are no fractions.
    (r"V_FRACT_F\d+", r"S0\.(f\d+) \+ -floor\(S0\.f\d+\)", r"fract(S0.\1)", "CDNA3 ISA document: the result is in [0, 1)"),
    # 65 bits.
    (r"V_MAD_(CO_)?U64_U32", r"(?s).*", "tmp = 64'U(S0.u32) * 64'U(S1.u32);\nD0.u64 = tmp + S2.u64;\nD1.u1 = D0.u64 < tmp", "the same in 64 bits"),
    (r"V_MAD_(CO_)?I64_I32", r"(?s).*",
     "tmp = 64'I(S0.i32) * 64'I(S1.i32);\nD0.i64 = tmp + S2.i64;\n"
     "D1.u1 = ((tmp < 0LL) == (S2.i64 < 0LL)) ? tmp < 0LL : D0.i64 < 0LL", "the same in 64 bits"),
    # These are fused: what v_mad_mix is called since gfx906.
    (r"V_(MAD|FMA)_MIX\w*", "in[0] * in[1] + in[2]", "fma(in[0], in[1], in[2])", "LLVM, FeatureFmaMixInsts"),
    # The operands, as the encoding has them.
    (r"V_BITOP3_B\d+", "D.b", "D0.b", "the other instructions' texts"),
    # Widths of sums.
    (r"V_ALIGNBIT_B32", r"(?s).*", "tmp = ({ S0.u32, S1.u32 } >> S2.u32[4 : 0]);\nD0.u32 = tmp[31 : 0]", "the same, without a mask of 64 bits"),
    (r"V_ALIGNBYTE_B32", r"(?s).*", "tmp = ({ S0.u32, S1.u32 } >> (S2.u32[1 : 0] * 8U));\nD0.u32 = tmp[31 : 0]",
     "the same, without a mask of 64 bits"),
    # A count of the bits, and no loop over them.
    (r"V_BCNT_U32_B32", r"(?s).*", "D0.u32 = S1.u32 + 32'U(bitCount(S0.u32))", LOOP),
    (ANY, r"([\w.]+) = -1;(?s:[^;]*)\nfor i in 0 : \d+ do\n// Search from LSB\nif S0\.(u\d+)\[i\] == 1'1U(?s:.*?)endfor", r"\1 = first_one(S0.\2)", LOOP),
    (ANY, r"([\w.]+) = -1;(?s:[^;]*)\nfor i in 0 : \d+ do\n// Search from LSB\nif S0\.(u\d+)\[i\] == 1'0U(?s:.*?)endfor", r"\1 = first_one(~S0.\2)", LOOP),
    (ANY, r"([\w.]+) = -1;(?s:[^;]*)\nfor i in 0 : \d+ do\n// Search from MSB\nif S0\.(u\d+)\[(?s:.*?)endfor", r"\1 = leading_zeros(S0.\2)", LOOP),
    (ANY, r"([\w.]+) = -1;(?s:[^;]*)\nfor i in 1 : \d+ do\n// Search from MSB\nif S0\.[ui](\d+)\[(?s:.*?)endfor", r"\1 = leading_signs(S0.i\2)", LOOP),
    (r"S_BCNT0_I32_B(32|64)", r"(?s).*", r"D0.i32 = bitCount(~S0.u@);\nSCC = D0.u32 != 0U", LOOP),
    (r"S_BCNT1_I32_B(32|64)", r"(?s).*", r"D0.i32 = bitCount(S0.u@);\nSCC = D0.u32 != 0U", LOOP),
    (r"V_MBCNT_(LO|HI)_U32_B32", r"(?s)tmp = S1\.u32;\nfor.*endfor;\nD0\.u32 = tmp", "D0.u32 = S1.u32 + 32'U(bitCount(MaskedValue.u32))",
     LOOP),
)


# What the tables lack: instructions of gfx90a, from the CDNA 2 ISA document.
LACKING = {"V_MAD_F32": "D0.f32 = S0.f32 * S1.f32 + S2.f32", "V_MAC_F32": "D0.f32 = S0.f32 * S1.f32 + D0.f32",
           "V_MADMK_F32": "D0.f32 = S0.f32 * SIMM32.f32 + S1.f32", "V_MADAK_F32": "D0.f32 = S0.f32 * S1.f32 + SIMM32.f32"}


def corrected(name, text):
    for pattern, old, new, _ in ROWS:
        if not re.fullmatch(pattern, name):
            continue
        if new is None:
            new = towards_zero_no_more(name)
        if "(?s)" in old or "\\" in old:
            text = re.sub(old, new.replace("@", name[-2:]).replace("\\n", "\n"), text, count=0 if "(?s)" not in old else 1)
        else:
            text = text.replace(old, new)
    return text


def towards_zero_no_more(name):
    kind = name.rpartition("_F")[2][:2]
    return f"D0.f{kind} = {'ceil' if 'CEIL' in name else 'floor'}(S0.f{kind})"
